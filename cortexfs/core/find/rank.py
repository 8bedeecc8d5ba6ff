"""Rank results by their lexical score and by ranking signals of the atom itself.

`score = lexical x (1 + bounded boosts) x status`. The sum of the boosts is at most
`MAX_BOOST - 1`: an atom that is read often passes results of similar score, but none that match
much better.
`bench/boosts.py` measures the gain if reads go to the right answers, and the cost if not.
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from math import log2
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import BUILT_IN
from cortexfs.core.atoms.lifecycle import IndexMdSection, parse_atom_status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.find.fuse_text_and_similarity import FusedScore

MAX_BOOST = 1.3
"""The maximum factor of all boosts together."""
HALF_LIFE_DAYS = 30.0
"""Days after which the boost of a last read is halved."""
MIN_SHOWN_GAIN = 0.001
"""Boosts that add less than this share of a score are not displayed."""
SATURATION_COUNT = 64
"""The number of reads, or of links, from which the boost is full."""


class Boosts(NamedTuple):
    """The ranking signals of an atom, each from 0 to 1."""

    refs: float
    recency: float
    links: float
    kind: float


BOOST_WEIGHTS = Boosts(refs=0.15, recency=0.05, links=0.07, kind=0.03)
"""The weight of each boost: what it adds to the factor when full; the sum is `MAX_BOOST - 1`."""
_KIND_BOOSTS = {kind.name: kind.search_boost for kind in BUILT_IN}
"""The boost of each built-in kind; a kind from the settings has 0."""
STATUS_FACTORS = {
    IndexMdSection.ACTIVE: 1.0,
    IndexMdSection.SUPERSEDED: 0.5,
    IndexMdSection.INVALIDATED: 0.25,
}
"""The factor of each section: superseded and invalidated atoms rank last at equal scores."""


class RankedAtom(NamedTuple):
    """The data for ranking an atom.

    `read_count` counts its reads, `link_count` the atoms linking to it.
    """

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
    """An atom's data, its boosts, and the factor for its lexical score."""

    atom: RankedAtom
    boosts: Boosts
    factor: float

    @classmethod
    def from_atom(cls, known: RankedAtom, today: date) -> RankingFactors:
        """Return the boosts and factor of an atom."""
        boosts = Boosts(
            _compute_saturation(known.read_count),
            _compute_recency(known.last_read, today) if known.last_read else 0.0,
            _compute_saturation(known.link_count),
            _KIND_BOOSTS.get(known.kind, 0.0),
        )
        gained = 1 + sum(map(mul, BOOST_WEIGHTS, boosts))
        return cls(known, boosts, gained * _of_status(known.status))


class RankedHit(NamedTuple):
    """A result: an atom, its score, and the parts of the score."""

    atom: RankedAtom
    score: float
    text_score: float
    boosts: Boosts
    fused: FusedScore | None = None
    """The parts of the lexical score if embeddings were used, else None."""
    context: float = 0.0
    """What the surroundings of the atom added to its score by words, as a share of it."""

    @property
    def own_score(self) -> float:
        """The lexical score without the surroundings; with them if embeddings were used."""
        return self.text_score if self.fused else self.text_score / (1 + self.context)

    @property
    def is_outdated(self) -> bool:
        """Whether the atom is no longer active; it is then marked wherever it is displayed."""
        return parse_atom_status(self.atom.status).section is not IndexMdSection.ACTIVE

    @property
    def factors(self) -> dict[str, float]:
        """The factor of each signal by itself, without boosts of a thousandth or less."""
        each = zip(Boosts._fields, self.boosts, BOOST_WEIGHTS, strict=True)
        context = {} if self.fused else {"context": 1 + self.context}
        gained = context | {name: 1 + weight * value for name, value, weight in each}
        gained = {name: factor for name, factor in gained.items() if factor > 1 + MIN_SHOWN_GAIN}
        status = _of_status(self.atom.status)
        return gained | ({"status": status} if status != 1 else {})


def rank_hit(
    lexical: float, known: RankingFactors, fused: FusedScore | None = None, context: float = 0.0
) -> RankedHit:
    """Return the result of a lexical score and ranking data."""
    atom, boosts, factor = known
    return RankedHit(atom, lexical * factor, lexical, boosts, fused, context)


def sort_by_score(found: Iterable[RankedHit]) -> list[RankedHit]:
    """Return the results by descending score, then by path, so that the order is total."""
    return sorted(found, key=lambda one: (-one.score, one.atom.path))


@lru_cache(maxsize=64)
def _of_status(status: str) -> float:
    return STATUS_FACTORS[parse_atom_status(status).section]


def _compute_recency(last: str, today: date) -> float:
    """Return `0.5 ** (age / HALF_LIFE_DAYS)` for the age in days of the last read; 0 if unknown."""
    try:
        age = today.toordinal() - date.fromisoformat(last[:10]).toordinal()
    except ValueError:
        return 0.0
    return float(0.5 ** (max(0, age) / HALF_LIFE_DAYS))


def _compute_saturation(count: int) -> float:
    """Return `log2(1 + count) / log2(1 + SATURATION_COUNT)`, at most 1."""
    return min(1.0, log2(1 + count) / log2(1 + SATURATION_COUNT)) if count else 0.0
