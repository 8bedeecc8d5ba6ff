"""Score the surroundings of matches: an atom of a session that is about the query counts more.

An atom is surrounded by those of the same group (a session, the atoms that link to the same one)
and by its neighbours (atoms with nearby numbers in the same folder). The surroundings score as one
text that has the terms of all its matches. They count only if matches lie together more often than
by chance: groups that say nothing about the texts then change nothing.
"""

from __future__ import annotations

from collections import defaultdict
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    TermScores = Mapping[int, Sequence[float]]
    """The score of each matching atom for each term of the query."""

CONTEXT_WEIGHT = 0.4
"""The weight of the surroundings, if they count fully; tuned with `python -m bench.context`."""
MAX_CONTEXT_SHARE = 1.0
"""The most that the surroundings add to the score of an atom, as a share of it."""
COVERED_SHARE = 0.8
"""How much less the surroundings count if an atom has all the terms itself."""
HALF_COUNT = 0.5
"""The number of full matches of a term, in surroundings of mean size, with half of its score."""
SIZE_SHARE = 0.6
"""How much the size of a group counts, from 0 to 1, as the length of a text does."""
MAX_DISTANCE = 6
"""The number of neighbours on each side."""
DISTANCE_DECAY = 0.7
"""The factor by which each further neighbour counts less."""
MIN_RATIO, FULL_RATIO = 1.1, 1.4
"""How much more often than by chance matches lie together where this counts at all, and fully."""
PRIOR_PAIRS = 5
"""The number of pairs of mean matches that are added on both sides: a few pairs prove nothing."""


class Groups(NamedTuple):
    """Groups of one sort, sessions or link targets: their matches, and their sizes in the tree."""

    members: Mapping[str, Sequence[int]]
    sizes: Mapping[str, int]


class Matches(NamedTuple):
    """The matches of a query: term scores, and the sum for each atom; `outdated` add nothing."""

    term_scores: TermScores
    rarities: Sequence[float]
    outdated: Collection[int]
    text_count: int

    def evidence(self, doc: int) -> Sequence[float]:
        """Return how fully an atom matches each term, from 0 to 1; 0 if it is outdated."""
        if doc in self.outdated:
            return [0.0] * len(self.rarities)
        pairs = zip(self.term_scores[doc], self.rarities, strict=True)
        return [score / rarity if rarity else 0.0 for score, rarity in pairs]


class _Sort(NamedTuple):
    """The scores by surroundings of one sort, and from 0 to 1 how much they count."""

    scores: Mapping[int, float]
    factor: float


def score_context(
    matches: Matches, groups: Iterable[Groups], numbers: Mapping[str, Mapping[int, int]]
) -> dict[int, float]:
    """Return what the surroundings add to the score of each atom, without those that gain nothing.

    `numbers` has the number of each match in each folder; matches with the same one keep their
    order.
    """
    if len(matches.term_scores) < 2:  # noqa: PLR2004 - nothing surrounds a single match
        return {}
    evidence = {doc: matches.evidence(doc) for doc in matches.term_scores}
    sorts = [_score_neighbours(matches, evidence, numbers)]
    sorts += [_score_groups(matches, evidence, each) for each in groups if each.members]
    total = max(1.0, sum(sort.factor for sort in sorts))
    weight = CONTEXT_WEIGHT / total * (1 - COVERED_SHARE * _best_coverage(matches) ** 4)
    added: dict[int, float] = defaultdict(float)
    for sort in sorts:
        if sort.factor:
            for doc, score in sort.scores.items():
                added[doc] += weight * sort.factor * score
    return {
        doc: min(score, MAX_CONTEXT_SHARE * sum(matches.term_scores[doc]))
        for doc, score in added.items()
        if score > 0
    }


def _best_coverage(matches: Matches) -> float:
    """Return the share of the matched terms, by their rarity, that a single atom has at most."""
    scored = list(matches.term_scores.values())
    covered = [
        sum(rarity for rarity, score in zip(matches.rarities, scores, strict=True) if score)
        for scores in [*scored, list(map(max, zip(*scored, strict=True)))]
    ]
    return max(covered[:-1]) / covered[-1] if covered[-1] else 1.0


def _score_groups(
    matches: Matches, evidence: Mapping[int, Sequence[float]], groups: Groups
) -> _Sort:
    """Score the groups of one sort; of several groups of an atom the best one counts."""
    weights = _sum_scores(matches)
    mean_size = sum(groups.sizes[key] for key in groups.members) / len(groups.members)
    total, together, expected = sum(weights.values()), 0.0, 0.0
    scores: dict[int, float] = {}
    for key, docs in groups.members.items():
        inside = sum(weights[doc] for doc in docs)
        together += inside**2 - sum(weights[doc] ** 2 for doc in docs)
        chance = min(1.0, (groups.sizes[key] - 1) / max(1, matches.text_count - 1))
        expected += chance * sum(weights[doc] * (total - weights[doc]) for doc in docs)
        size_factor = 1 - SIZE_SHARE + SIZE_SHARE * groups.sizes[key] / mean_size
        counts = map(sum, zip(*(evidence[doc] for doc in docs), strict=True))
        score = _saturate(matches.rarities, counts, size_factor)
        scores |= {doc: max(score, scores.get(doc, 0.0)) for doc in docs}
    return _Sort(scores, _weigh_ratio(weights, together, expected))


def _score_neighbours(
    matches: Matches,
    evidence: Mapping[int, Sequence[float]],
    numbers: Mapping[str, Mapping[int, int]],
) -> _Sort:
    """Score the atoms with nearby numbers, the nearest of which count most."""
    weights, together, scores = _sum_scores(matches), 0.0, {}
    for by_doc in numbers.values():
        order = sorted(by_doc.items(), key=itemgetter(1))
        for place, (doc, number) in enumerate(order):
            counts = list(evidence[doc])
            near = order[max(0, place - MAX_DISTANCE) : place + MAX_DISTANCE + 1]
            for other, other_number in near:
                distance = abs(other_number - number)
                if other != doc and distance <= MAX_DISTANCE:
                    together += weights[doc] * weights[other]
                    decay = DISTANCE_DECAY ** max(0, distance - 1)
                    counts = [a + decay * b for a, b in zip(counts, evidence[other], strict=True)]
            scores[doc] = _saturate(matches.rarities, counts, 1.0)
    total = sum(weights.values())
    chance = min(1.0, 2 * MAX_DISTANCE / max(1, matches.text_count - 1))
    expected = chance * sum(each * (total - each) for each in weights.values())
    return _Sort(scores, _weigh_ratio(weights, together, expected))


def _sum_scores(matches: Matches) -> dict[int, float]:
    """Return the score of each atom as a surrounding one: 0 if it is outdated."""
    return {
        doc: 0.0 if doc in matches.outdated else sum(scores)
        for doc, scores in matches.term_scores.items()
    }


def _saturate(rarities: Sequence[float], counts: Iterable[float], size_factor: float) -> float:
    """Return the score of surroundings as of one text, by how often they match each term."""
    half = HALF_COUNT * size_factor
    return sum(rarity * n / (n + half) for rarity, n in zip(rarities, counts, strict=True) if n)


def _weigh_ratio(weights: Mapping[int, float], together: float, expected: float) -> float:
    """Return from 0 to 1 how much surroundings count, by how often matches lie together."""
    prior = PRIOR_PAIRS * (sum(weights.values()) / len(weights)) ** 2
    ratio = (together + prior) / (expected + prior) if expected + prior else 1.0
    return min(1.0, max(0.0, (ratio - MIN_RATIO) / (FULL_RATIO - MIN_RATIO)))
