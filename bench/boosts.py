"""Measure what ranking by reads gains: `python -m bench.boosts`.

The questions are about the modules of Python's library (`bench.own`). As in real use, a few
modules get many questions and most get few. The first half of the questions is the past: each
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
"""The share of reads that are of a random atom."""
MAX_COST = 0.01
"""The recall@5 that random reads may cost."""
MAX_P_VALUE = 0.05
"""The highest p-value at which a gain counts."""
WITH, WITHOUT, RANDOM = "reads of the answers", "no reads", "random reads"


class Halves(NamedTuple):
    """The questions of the past, and those that are measured."""

    past: list[Question]
    now: list[Question]


def main() -> int:
    """Print the runs; return 1 if reads do not help, or random reads cost over a point."""
    texts, questions = make_function_set(
        each for each in read_modules() if each.about and each.parts
    )
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as place:
        runs = score_read_logs(build_set(texts, Path(place, "tree")), draw_halves(questions))
    print(format_table(runs))
    print(f"{RANDOM} against {WITHOUT}: {compare_runs(runs, RANDOM, WITHOUT)}")
    gained = subtract_scores(runs, WITH, WITHOUT, "mrr")
    cost = -fmean(subtract_scores(runs, RANDOM, WITHOUT, "recall_5"))
    return (
        0
        if fmean(gained) > 0 and permutation_p_value(gained) < MAX_P_VALUE and cost <= MAX_COST
        else 1
    )


def draw_halves(questions: Sequence[Question], rng: random.Random | None = None) -> Halves:
    """Draw the questions: a module of rank r with weight 1/r, its questions with equal weight."""
    rng = rng or random.Random(7)
    names = sorted({each.gold for each in questions})
    rng.shuffle(names)
    weight_of = dict(zip(names, (1 / rank for rank in range(1, len(names) + 1)), strict=True))
    weights = list(accumulate(weight_of[each.gold] for each in questions))
    drawn = rng.choices(questions, cum_weights=weights, k=2 * len(questions))
    return Halves(drawn[: len(questions)], drawn[len(questions) :])


def score_read_logs(searched: SearchSet, halves: Halves) -> dict[str, list[Score]]:
    """Score the present questions without reads, with reads of the past, and with random reads."""
    rng, paths = random.Random(7), {name: path for path, name in searched.names.items()}
    every = sorted(searched.names)
    answers = [paths[each.gold[0]] for each in halves.past]
    paths_by_run = {
        WITH: [rng.choice(every) if rng.random() < NOISE_SHARE else path for path in answers],
        WITHOUT: [],
        RANDOM: [rng.choice(every) for _ in answers],
    }
    runs = {}
    for name, read_paths in paths_by_run.items():
        write_access_log(searched, read_paths)
        runs[name] = score_search(make_find(searched.session), searched.names, halves.now)
    return runs


def write_access_log(searched: SearchSet, paths: Iterable[str]) -> None:
    """Replace the access log of the set by one read of each path, all of today."""
    log = Path(searched.session.tree.root, ATOM_FOLDER).parent / "_meta" / "access-log.jsonl"
    log.parent.mkdir(exist_ok=True)
    day = NOW.isoformat()[:10]
    lines = (
        {"file": Path(path).name, "tool": "Read", "ts": f"{day}T{_format_clock(second)}.000Z"}
        for second, path in enumerate(paths)
    )
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    searched.session.refresh()


def _format_clock(second: int) -> str:
    return f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"


if __name__ == "__main__":
    sys.exit(main())
