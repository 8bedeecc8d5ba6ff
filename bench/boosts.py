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

from bench.engines import ours, scores
from bench.own import functions, modules
from bench.scores import against, chance, differences, table
from bench.sets import NOW, PLACE, plant

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.scores import Score
    from bench.sets import Asked, Planted

NOISE = 0.2
"""The part of looks that go astray."""
COST = 0.01
"""Of recall@5, what looks that mean nothing may cost."""
SURE = 0.05
"""How likely it may be that chance has helped."""
WITH, WITHOUT, RANDOM = "looks at what answers", "no looks", "looks at random"


class Halves(NamedTuple):
    """The questions that have been asked, and those that are."""

    past: list[Asked]
    now: list[Asked]


def main() -> int:
    """Print the three runs; 1 where looks do not help, or random ones cost more than a point."""
    texts, asked = functions(one for one in modules() if one.about and one.parts)
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as place:
        runs = measured(plant(texts, Path(place, "tree")), halves(asked))
    print(table(runs))
    print(f"{RANDOM} against {WITHOUT}: {against(runs, RANDOM, WITHOUT)}")
    gained = differences(runs, WITH, WITHOUT, "mrr")
    cost = -fmean(differences(runs, RANDOM, WITHOUT, "recall_5"))
    return 0 if fmean(gained) > 0 and chance(gained) < SURE and cost <= COST else 1


def halves(asked: Sequence[Asked], dice: random.Random | None = None) -> Halves:
    """Draw what is asked: a module of rank r by one in r, each of its questions alike."""
    dice = dice or random.Random(7)
    names = sorted({one.gold for one in asked})
    dice.shuffle(names)
    often = dict(zip(names, (1 / rank for rank in range(1, len(names) + 1)), strict=True))
    weights = list(accumulate(often[one.gold] for one in asked))
    drawn = dice.choices(asked, cum_weights=weights, k=2 * len(asked))
    return Halves(drawn[: len(asked)], drawn[len(asked) :])


def measured(planted: Planted, halves: Halves) -> dict[str, list[Score]]:
    """Ask what is asked now without looks, with looks of the past, and with random ones."""
    dice, paths = random.Random(7), {name: path for path, name in planted.names.items()}
    every = sorted(planted.names)
    answers = [paths[one.gold[0]] for one in halves.past]
    told = {
        WITH: [dice.choice(every) if dice.random() < NOISE else path for path in answers],
        WITHOUT: [],
        RANDOM: [dice.choice(every) for _ in answers],
    }
    runs = {}
    for name, looks in told.items():
        look(planted, looks)
        runs[name] = scores(ours(planted.session), planted.names, halves.now)
    return runs


def look(planted: Planted, paths: Iterable[str]) -> None:
    """Write the access log of the set anew: a look at each of some atoms, all of today."""
    log = Path(planted.session.tree.root, PLACE).parent / "_meta" / "access-log.jsonl"
    log.parent.mkdir(exist_ok=True)
    day = NOW.isoformat()[:10]
    lines = (
        {"file": Path(path).name, "tool": "Read", "ts": f"{day}T{_clock(second)}.000Z"}
        for second, path in enumerate(paths)
    )
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    planted.session.refresh()


def _clock(second: int) -> str:
    return f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"


if __name__ == "__main__":
    sys.exit(main())
