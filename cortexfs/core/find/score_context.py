"""Score the surroundings of matches: an atom that is surrounded by other matches counts more.

An atom is surrounded by the other matches of its groups: its session, the atoms that have their
only link in common with it, the atoms with nearby numbers. It gets a share of what its score would
gain if the others were part of its text. A term counts the more for this, the fewer groups its
matches are in than by chance: groups that say nothing about the texts change nothing.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    TermScores = Mapping[int, Sequence[float]]
    """The score of each match for each term of the query."""
    Evidence = Mapping[int, Sequence[float]]
    """How fully each match has each term of the query, from 0 to 1."""

CONTEXT_WEIGHT = 0.5
"""The share of what an atom would gain by the texts of a group; see `python -m bench.context`."""
HALF_COUNT = 0.5
"""The number of full matches of a term, in an atom and its group, with half of its score."""
NEARBY_COUNT = 10
"""The number of consecutive numbers of a group of neighbours."""


class Groups(NamedTuple):
    """Groups of one sort, such as sessions: their matches, and their sizes in the tree."""

    members: Mapping[str, Sequence[int]]
    sizes: Mapping[str, int]


class Matches(NamedTuple):
    """The matches of a query: the score of each for each term; `outdated` ones add nothing."""

    term_scores: TermScores
    rarities: Sequence[float]
    outdated: Collection[int]
    text_count: int

    def normalize(self, scores: Sequence[float]) -> list[float]:
        """Return how fully an atom with some scores has each term, from 0 to 1."""
        pairs = zip(scores, self.rarities, strict=True)
        return [score / rarity if rarity else 0.0 for score, rarity in pairs]


def score_context(matches: Matches, sorts: Iterable[Groups]) -> dict[int, float]:
    """Return what the surroundings add to the score of each atom, without those that gain nothing.

    An atom can be in several groups, which all count.
    """
    evidence = {doc: matches.normalize(scores) for doc, scores in matches.term_scores.items()}
    gains: dict[int, float] = defaultdict(float)
    for groups in sorts:
        for doc, gain in _iter_gains(matches, evidence, groups):
            gains[doc] += CONTEXT_WEIGHT * gain
    return {doc: gain for doc, gain in gains.items() if gain > 0}


def group_neighbours(numbers: Mapping[str, Mapping[int, int]]) -> Iterator[Groups]:
    """Yield groups of nearby numbers, each number in two of them; `numbers` is by folder."""
    for offset in (0, NEARBY_COUNT // 2):
        members: dict[str, list[int]] = defaultdict(list)
        for folder, by_doc in numbers.items():
            for doc, number in by_doc.items():
                members[f"{folder}/{(number + offset) // NEARBY_COUNT}"].append(doc)
        yield Groups(members, dict.fromkeys(members, NEARBY_COUNT))


def _iter_gains(
    matches: Matches, evidence: Evidence, groups: Groups
) -> Iterator[tuple[int, float]]:
    """Yield what each atom would gain if the others of its group were part of its text."""
    if not any(len(docs) > 1 for docs in groups.members.values()):
        return
    none = [0.0] * len(matches.rarities)
    given = {doc: none if doc in matches.outdated else own for doc, own in evidence.items()}
    totals = {
        key: [sum(counts) for counts in zip(*(given[doc] for doc in docs), strict=True)]
        for key, docs in groups.members.items()
    }
    mean_size = sum(groups.sizes[key] for key in totals) / len(totals)
    group_count = max(1.0, matches.text_count / mean_size)
    terms = _weigh_terms(matches.rarities, given, groups, totals, group_count)
    for key, docs in groups.members.items():
        for doc in docs if len(docs) > 1 else ():
            yield doc, _sum_gains(terms, evidence[doc], given[doc], totals[key])


def _weigh_terms(
    rarities: Sequence[float],
    given: Evidence,
    groups: Groups,
    totals: Mapping[str, Sequence[float]],
    group_count: float,
) -> list[tuple[int, float]]:
    """Return the places and weights of the terms whose matches are in fewer groups than by chance.

    The weight is the rarity of a term, less if its matches are in more groups.
    """
    weights = []
    for place, rarity in enumerate(rarities):
        found = sum(1 for counts in totals.values() if counts[place])
        match_count = sum(
            1 for docs in groups.members.values() for doc in docs if given[doc][place]
        )
        expected = group_count * (1 - (1 - 1 / group_count) ** match_count)
        if found < expected:
            weights.append((place, rarity * (1 - found / expected)))
    return weights


def _sum_gains(
    terms: Iterable[tuple[int, float]],
    own: Sequence[float],
    given: Sequence[float],
    total: Sequence[float],
) -> float:
    """Return what the evidence of others adds to that of an atom."""
    gain = 0.0
    for place, weight in terms:
        if others := total[place] - given[place]:
            count = own[place] + others
            gain += weight * (_saturate(count) - _saturate(own[place]))
    return gain


def _saturate(count: float) -> float:
    return count / (count + HALF_COUNT)
