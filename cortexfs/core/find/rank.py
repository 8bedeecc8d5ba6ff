"""The order of what was found: how well the words fit, then what is known of the atom itself.

`score = lexical x (1 + bounded boosts) x status`. The boosts never exceed `MOST - 1` in all: an
atom that is much read passes its neighbours, and none that fits much better. `bench/boosts.py`
shows what that gains where looks go to what answers, and what it costs where they do not.
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from math import log2
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.lifecycle import Section, read_status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cortexfs.core.find.fuse_scores import Fit

MOST = 1.3
"""What the boosts may make of a score, all taken together."""
HALF_LIFE = 30.0
"""Days after which a last look speaks half as loud."""
TOLD = 0.001
"""What adds less to a score is not told."""
MANY = 64
"""Refs, or links, of which more say nothing more."""


class Boosts(NamedTuple):
    """What speaks for an atom beside its words, each between 0 and 1."""

    refs: float
    recency: float
    links: float
    kind: float


WEIGHTS = Boosts(refs=0.15, recency=0.05, links=0.07, kind=0.03)
"""What each boost adds where it is full; their sum is `MOST - 1`."""
KINDS = {"knowledge": 1.0, "pattern": 1.0, "decision": 0.7, "experiment": 0.4}
"""What has been established says more than what was tried; other kinds say nothing."""
STATUS = {Section.ACTIVE: 1.0, Section.SUPERSEDED: 0.5, Section.INVALIDATED: 0.25}
"""Superseded and invalidated atoms come last among what fits alike, and are marked."""


class Known(NamedTuple):
    """What is known of an atom beside its words; `links` counts the atoms that name it."""

    ref: str
    path: str
    kind: str
    project: str
    status: str
    summary: str
    refs: int
    last: str
    links: int


class Standing(NamedTuple):
    """What is known of an atom, and what that makes of a score."""

    known: Known
    boosts: Boosts
    factor: float

    @classmethod
    def of(cls, known: Known, today: date) -> Standing:
        """Weigh an atom by all but its words."""
        boosts = Boosts(
            _many(known.refs),
            _recent(known.last, today) if known.last else 0.0,
            _many(known.links),
            KINDS.get(known.kind, 0.0),
        )
        gained = 1 + sum(map(mul, WEIGHTS, boosts))
        return cls(known, boosts, gained * _of_status(known.status))


class Found(NamedTuple):
    """An atom that fits, and why it stands where it stands."""

    known: Known
    score: float
    lexical: float
    boosts: Boosts
    fit: Fit | None = None
    """Where the meaning counts: what the lexical score was made of."""

    @property
    def past(self) -> bool:
        """Tell whether it no longer stands: it is marked wherever it is shown."""
        return read_status(self.known.status).section is not Section.ACTIVE

    @property
    def factors(self) -> dict[str, float]:
        """Tell what each thing makes of a score by itself; less than a thousandth is left out."""
        each = zip(Boosts._fields, self.boosts, WEIGHTS, strict=True)
        gained = {name: 1 + weight * value for name, value, weight in each}
        gained = {name: factor for name, factor in gained.items() if factor > 1 + TOLD}
        status = _of_status(self.known.status)
        return gained | ({"status": status} if status != 1 else {})


def weigh(hits: Iterable[tuple[float, Standing]]) -> Iterator[Found]:
    """Make of how well the words fit how well the atoms do."""
    return (
        Found(known, lexical * factor, lexical, boosts) for lexical, (known, boosts, factor) in hits
    )


def best_first(found: Iterable[Found]) -> list[Found]:
    """Order what was found; equals by path, so that the order is total."""
    return sorted(found, key=lambda one: (-one.score, one.known.path))


@lru_cache(maxsize=64)
def _of_status(status: str) -> float:
    return STATUS[read_status(status).section]


def _recent(last: str, today: date) -> float:
    """Halve what a look says with every half-life since; nothing where there was none."""
    try:
        age = today.toordinal() - date.fromisoformat(last[:10]).toordinal()
    except ValueError:
        return 0.0
    return float(0.5 ** (max(0, age) / HALF_LIFE))


def _many(count: int) -> float:
    """Let the first few of a kind count most."""
    return min(1.0, log2(1 + count) / log2(1 + MANY)) if count else 0.0
