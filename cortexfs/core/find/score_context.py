"""Score the surroundings of matches: an atom that is surrounded by other matches counts more.

An atom is surrounded by the other matches of its groups: its session, the atoms that have their
only link in common with it, the atoms with nearby numbers. It gets a share of what its score would
gain if the others were part of its text. A term counts the more for this, the fewer groups its
matches are in than by chance: groups that say nothing about the texts change next to nothing.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import compress
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    TermScores = Mapping[int, Sequence[float]]
    """The score of each match for each term of the query."""

CONTEXT_WEIGHT = 0.7
"""The share of what an atom would gain by the texts of its session; see `python -m bench.context`.

Chosen over a dozen sets, as the two below: more gains where a session is about one thing, and loses
where it is not.
"""
NEARBY_SHARE, LINK_SHARE = 0.5, 0.2
"""How much atoms with nearby numbers and with the same only link count, compared with a session.

Packages of Debian that depend on the same library are seldom about the same: there, a share of 1
for links loses 1.9 points of MRR.
"""
HALF_COUNT = 0.5
"""The number of full matches of a term, in an atom and its group, with half of its score."""
NEARBY_COUNT = 10
"""The number of consecutive numbers of a group of neighbours."""
NO_NEIGHBOURS = ("", "")
"""The groups of neighbours of an atom without a number."""
MIN_DEVIATIONS, MIN_TERM_DEVIATIONS = 2.0, 3.0
"""How many standard deviations from chance the matches of all terms, or of one, must be."""


class Groups(NamedTuple):
    """Groups of one sort, such as sessions: their matches, and their sizes in the tree.

    A match that is in none of them is in a group of its own. The sizes of groups with a single
    match are not needed.
    """

    members: Mapping[str, Sequence[int]]
    sizes: Mapping[str, int]
    ungrouped: Collection[int] = ()
    """The matches that belong to no group."""
    added: Collection[int] = ()
    """The members that were added to a group; they may belong to another one, or to none."""
    share: float = 1.0
    """How much they count, compared with sessions."""

    def list_shared(self) -> dict[str, Sequence[int]]:
        """Return the groups with several matches."""
        return {key: docs for key, docs in self.members.items() if len(docs) > 1}


NO_GROUPS = Groups({}, {})


class _Spread(NamedTuple):
    """In how many groups the matches of a term are, beside what chance would have."""

    match_count: int
    found: int
    expected: float
    variance: float

    @property
    def missing(self) -> float:
        return self.expected - self.found

    @property
    def is_clear(self) -> bool:
        return self.missing > MIN_TERM_DEVIATIONS * sqrt(self.variance)


class Matches(NamedTuple):
    """The matches of a query: the score of each for each term; `outdated` ones add nothing."""

    term_scores: TermScores
    rarities: Sequence[float]
    outdated: Collection[int]
    text_count: int

    def normalize(self, doc: int) -> list[float]:
        """Return how fully a match has each term, from 0 to 1."""
        pairs = zip(self.term_scores[doc], self.rarities, strict=True)
        return [score / rarity if rarity else 0.0 for score, rarity in pairs]


class MatchBits(NamedTuple):
    """The matches as sets of bits, which are counted fast; `outdated` ones have none."""

    by_doc: Mapping[int, int]
    """The bit of each match."""
    terms: Sequence[int]
    """The matches of each term."""

    @classmethod
    def from_matches(cls, matches: Matches) -> MatchBits:
        """Return the bits of the matches, in their order, and those with each term."""
        by_doc = {doc: 1 << place for place, doc in enumerate(matches.term_scores)}
        by_doc |= dict.fromkeys(matches.outdated, 0)
        columns = zip(*matches.term_scores.values(), strict=True)
        terms = [sum(compress(by_doc.values(), column)) for column in columns]
        return cls(by_doc, terms or [0] * len(matches.rarities))

    def join(self, docs: Iterable[int]) -> int:
        """Return the set of some matches, each named once."""
        return sum(map(self.by_doc.__getitem__, docs))


def score_context(matches: Matches, sorts: Iterable[Groups]) -> dict[int, float]:
    """Return what the surroundings add to the score of each atom, without those that gain nothing.

    An atom can be in several groups, which all count.
    """
    bits = MatchBits.from_matches(matches)
    gains: dict[int, float] = defaultdict(float)
    for groups in sorts:
        shared = groups.list_shared()
        weights = _weigh_terms(matches, bits, groups, shared) if shared else []
        for docs in shared.values() if weights else ():
            for doc, gain in _score_group(matches, weights, docs):
                gains[doc] += CONTEXT_WEIGHT * groups.share * gain
    return {doc: gain for doc, gain in gains.items() if gain > 0}


def list_neighbour_keys(folder: str, number: int) -> tuple[str, str]:
    """Return the two groups of neighbours of a number in a folder, divided in two ways."""
    shifted = number + NEARBY_COUNT // 2
    return f"{folder}/{number // NEARBY_COUNT}", f"{folder}/{shifted // NEARBY_COUNT}"


def _weigh_terms(
    matches: Matches, bits: MatchBits, groups: Groups, shared: Mapping[str, Sequence[int]]
) -> list[tuple[int, float]]:
    """Return the places and weights of the terms whose matches are in fewer groups than by chance.

    The weight is the rarity of a term, less if its matches are in more groups. There is none unless
    chance can hardly be the reason, be it for all terms together or for this one.
    """
    mean_size = sum([groups.sizes[key] for key in shared]) / len(shared)
    group_count = max(1.0, matches.text_count / mean_size)
    spreads = _measure_spreads(bits, groups, shared.values(), group_count)
    missing = sum([each.missing for each in spreads])
    is_clear = missing > MIN_DEVIATIONS * sqrt(sum([each.variance for each in spreads]))
    return [
        (place, rarity * each.missing / each.expected)
        for place, (rarity, each) in enumerate(zip(matches.rarities, spreads, strict=True))
        if each.missing > 0 and each.found < each.match_count and (is_clear or each.is_clear)
    ]


def _measure_spreads(
    bits: MatchBits, groups: Groups, shared: Iterable[Iterable[int]], group_count: float
) -> list[_Spread]:
    """Return for each term in how many groups its matches are."""
    grouped, added = ~bits.join(groups.ungrouped), bits.join(groups.added)
    together = [each for each in map(bits.join, shared) if each & (each - 1)]  # several bits
    spreads = []
    for term in bits.terms:
        inside = (term & grouped).bit_count() + (term & added).bit_count()
        parts = [part for each in together if (part := term & each)]
        found = inside - sum([part.bit_count() for part in parts]) + len(parts)
        spreads.append(_Spread(inside, found, *_expect_spread(inside, group_count)))
    return spreads


def _expect_spread(every: int, group_count: float) -> tuple[float, float]:
    """Return in how many groups some texts drawn by chance are, and the variance of this number."""
    empty = group_count * (1 - 1 / group_count) ** every
    two_empty = group_count * (group_count - 1) * max(0.0, 1 - 2 / group_count) ** every
    return group_count - empty, max(0.0, two_empty + empty - empty**2)


def _score_group(
    matches: Matches, weights: Iterable[tuple[int, float]], docs: Sequence[int]
) -> Iterator[tuple[int, float]]:
    """Yield what the others of a group add to each of its members, by the weights of terms."""
    own = [matches.normalize(doc) for doc in docs]
    nothing = [0.0] * len(matches.rarities)
    given = [
        nothing if doc in matches.outdated else each for doc, each in zip(docs, own, strict=True)
    ]
    totals = [(place, weight, sum([each[place] for each in given])) for place, weight in weights]
    for doc, before, added in zip(docs, own, given, strict=True):
        yield doc, _sum_gains(totals, before, added)


def _sum_gains(
    totals: Iterable[tuple[int, float, float]], own: Sequence[float], given: Sequence[float]
) -> float:
    """Return what the others of a group add to an atom: place, weight and total of each term."""
    gain = 0.0
    for place, weight, total in totals:
        if others := total - given[place]:
            before = own[place]
            after = before + others
            gain += weight * (after / (after + HALF_COUNT) - before / (before + HALF_COUNT))
    return gain
