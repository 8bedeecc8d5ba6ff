"""Measure what ranking by reads gains: `python -m bench.boosts`.

The questions are about the modules of Python's library (`bench.own`). As in real use, a few
modules are asked about often and most seldom. The first half of the questions is the past: each
adds a read of the atom that answers it or, one in five, of a random atom. The other half is
asked without these reads, with them, and with as many reads of random atoms: a paired test.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from itertools import accumulate
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from bench.engines import make_find, score_search
from bench.own import make_function_set, read_modules
from bench.scores import compare_runs, format_table, permutation_p_value, subtract_scores
from bench.sets import ATOM_FOLDER, NOW, build_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.scores import Score
    from bench.sets import Question, SearchSet

NOISE_SHARE = 0.2
"""The part of looks that go astray."""
MAX_COST = 0.01
"""Of recall@5, what looks that mean nothing may cost."""
MAX_P_VALUE = 0.05
"""How likely it may be that chance has helped."""
WITH, WITHOUT, RANDOM = "looks at what answers", "no looks", "looks at random"


class Halves(NamedTuple):
    """The questions that have been asked, and those that are."""

    past: list[Question]
    now: list[Question]


def main() -> int:
    """Print the three runs; 1 where looks do not help, or random ones cost more than a point."""
    texts, asked = make_function_set(one for one in read_modules() if one.about and one.parts)
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as place:
        runs = score_read_logs(build_set(texts, Path(place, "tree")), draw_halves(asked))
    print(format_table(runs))
    print(f"{RANDOM} against {WITHOUT}: {compare_runs(runs, RANDOM, WITHOUT)}")
    gained = subtract_scores(runs, WITH, WITHOUT, "mrr")
    cost = -fmean(subtract_scores(runs, RANDOM, WITHOUT, "recall_5"))
    return (
        0
        if fmean(gained) > 0 and permutation_p_value(gained) < MAX_P_VALUE and cost <= MAX_COST
        else 1
    )


def draw_halves(asked: Sequence[Question], rng: random.Random | None = None) -> Halves:
    """Draw what is asked: a module of rank r by one in r, each of its questions alike."""
    rng = rng or random.Random(7)
    names = sorted({one.gold for one in asked})
    rng.shuffle(names)
    often = dict(zip(names, (1 / rank for rank in range(1, len(names) + 1)), strict=True))
    weights = list(accumulate(often[one.gold] for one in asked))
    drawn = rng.choices(asked, cum_weights=weights, k=2 * len(asked))
    return Halves(drawn[: len(asked)], drawn[len(asked) :])


def score_read_logs(planted: SearchSet, halves: Halves) -> dict[str, list[Score]]:
    """Ask what is asked now without looks, with looks of the past, and with random ones."""
    rng, paths = random.Random(7), {name: path for path, name in planted.names.items()}
    every = sorted(planted.names)
    answers = [paths[one.gold[0]] for one in halves.past]
    told = {
        WITH: [rng.choice(every) if rng.random() < NOISE_SHARE else path for path in answers],
        WITHOUT: [],
        RANDOM: [rng.choice(every) for _ in answers],
    }
    runs = {}
    for name, looks in told.items():
        write_access_log(planted, looks)
        runs[name] = score_search(make_find(planted.session), planted.names, halves.now)
    return runs


def write_access_log(planted: SearchSet, paths: Iterable[str]) -> None:
    """Write the access log of the set anew: a look at each of some atoms, all of today."""
    log = Path(planted.session.tree.root, ATOM_FOLDER).parent / "_meta" / "access-log.jsonl"
    log.parent.mkdir(exist_ok=True)
    day = NOW.isoformat()[:10]
    lines = (
        {"file": Path(path).name, "tool": "Read", "ts": f"{day}T{_format_clock(second)}.000Z"}
        for second, path in enumerate(paths)
    )
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    planted.session.refresh()


def _format_clock(second: int) -> str:
    return f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"


if __name__ == "__main__":
    sys.exit(main())
