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

from cortexfs.core.atoms.lifecycle import IndexSection, parse_status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cortexfs.core.find.fuse_scores import FusedScore

MAX_BOOST = 1.3
"""What the boosts may make of a score, all taken together."""
HALF_LIFE_DAYS = 30.0
"""Days after which a last look speaks half as loud."""
MIN_SHOWN_GAIN = 0.001
"""What adds less to a score is not told."""
SATURATION_COUNT = 64
"""Refs, or links, of which more say nothing more."""


class Boosts(NamedTuple):
    """What speaks for an atom beside its words, each between 0 and 1."""

    refs: float
    recency: float
    links: float
    kind: float


BOOST_WEIGHTS = Boosts(refs=0.15, recency=0.05, links=0.07, kind=0.03)
"""What each boost adds where it is full; their sum is `MOST - 1`."""
KIND_BOOSTS = {"knowledge": 1.0, "pattern": 1.0, "decision": 0.7, "experiment": 0.4}
"""What has been established says more than what was tried; other kinds say nothing."""
STATUS_FACTORS = {
    IndexSection.ACTIVE: 1.0,
    IndexSection.SUPERSEDED: 0.5,
    IndexSection.INVALIDATED: 0.25,
}
"""Superseded and invalidated atoms come last among what fits alike, and are marked."""


class RankedAtom(NamedTuple):
    """What is known of an atom beside its words; `links` counts the atoms that name it."""

    ref: str
    path: str
    kind: str
    project: str
    status: str
    summary: str
    read_count: int
    last_read: str
    link_count: int


class RankingFactors(NamedTuple):
    """What is known of an atom, and what that makes of a score."""

    atom: RankedAtom
    boosts: Boosts
    factor: float

    @classmethod
    def from_atom(cls, known: RankedAtom, today: date) -> RankingFactors:
        """Weigh an atom by all but its words."""
        boosts = Boosts(
            _many(known.read_count),
            _recent(known.last_read, today) if known.last_read else 0.0,
            _many(known.link_count),
            KIND_BOOSTS.get(known.kind, 0.0),
        )
        gained = 1 + sum(map(mul, BOOST_WEIGHTS, boosts))
        return cls(known, boosts, gained * _of_status(known.status))


class RankedHit(NamedTuple):
    """An atom that fits, and why it stands where it stands."""

    atom: RankedAtom
    score: float
    text_score: float
    boosts: Boosts
    fused: FusedScore | None = None
    """Where the meaning counts: what the lexical score was made of."""

    @property
    def is_outdated(self) -> bool:
        """Tell whether it no longer stands: it is marked wherever it is shown."""
        return parse_status(self.atom.status).section is not IndexSection.ACTIVE

    @property
    def factors(self) -> dict[str, float]:
        """Tell what each thing makes of a score by itself; less than a thousandth is left out."""
        each = zip(Boosts._fields, self.boosts, BOOST_WEIGHTS, strict=True)
        gained = {name: 1 + weight * value for name, value, weight in each}
        gained = {name: factor for name, factor in gained.items() if factor > 1 + MIN_SHOWN_GAIN}
        status = _of_status(self.atom.status)
        return gained | ({"status": status} if status != 1 else {})


def rank_hits(hits: Iterable[tuple[float, RankingFactors]]) -> Iterator[RankedHit]:
    """Make of how well the words fit how well the atoms do."""
    return (
        RankedHit(known, lexical * factor, lexical, boosts)
        for lexical, (known, boosts, factor) in hits
    )


def sort_by_score(found: Iterable[RankedHit]) -> list[RankedHit]:
    """Order what was found; equals by path, so that the order is total."""
    return sorted(found, key=lambda one: (-one.score, one.atom.path))


@lru_cache(maxsize=64)
def _of_status(status: str) -> float:
    return STATUS_FACTORS[parse_status(status).section]


def _recent(last: str, today: date) -> float:
    """Halve what a look says with every half-life since; nothing where there was none."""
    try:
        age = today.toordinal() - date.fromisoformat(last[:10]).toordinal()
    except ValueError:
        return 0.0
    return float(0.5 ** (max(0, age) / HALF_LIFE_DAYS))


def _many(count: int) -> float:
    """Let the first few of a kind count most."""
    return min(1.0, log2(1 + count) / log2(1 + SATURATION_COUNT)) if count else 0.0
