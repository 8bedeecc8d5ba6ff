"""Score the order of answers, and test whether one ranking is better than another."""

from __future__ import annotations

import random
from math import log2
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    Runs = Mapping[str, Sequence["Score"]]
    AnyScore = "Score | SessionScore | GradedScore"
    Discount = Callable[[int], float]

MAX_RANK = 100
"""The number of answers in which the first right one is searched."""
ROUNDS = 10_000
"""Number of random permutations."""
LABELS = {
    "recall_5": "recall@5",
    "recall_10": "recall@10",
    "recall_20": "recall@20",
    "recall_100": "recall@100",
    "any_5": "any@5",
    "any_10": "any@10",
    "all_5": "all@5",
    "all_10": "all@10",
    "mrr": "MRR",
    "map_100": "MAP@100",
    "ndcg_10": "nDCG@10",
    "ndcg_10_binary": "binary",
    "ndcg_10_first_two": "as paper",
}
"""The heads of the columns by the names of the scores."""


class Score(NamedTuple):
    """The scores of one answered question, each between 0 and 1."""

    recall_5: float
    recall_10: float
    recall_20: float
    mrr: float
    ndcg_10: float


class SessionScore(NamedTuple):
    """The scores of a question that some sessions answer together, as LongMemEval counts them."""

    any_5: float
    any_10: float
    all_5: float
    all_10: float
    mrr: float
    ndcg_10: float
    ndcg_10_first_two: float
    """nDCG as the program of the paper computes it: the second place counts like the first."""


class GradedScore(NamedTuple):
    """The scores of a question whose answers have grades; all but `ndcg_10` only ask for > 0."""

    ndcg_10: float
    ndcg_10_binary: float
    recall_10: float
    recall_100: float
    map_100: float
    mrr: float


def score_ranking(found: Sequence[str], gold: Collection[str]) -> Score:
    """Score a ranking by the right answers; a question without any scores 0."""
    ranks = [rank for rank, name in enumerate(found[:MAX_RANK], start=1) if name in gold]
    first = 1 / ranks[0] if ranks else 0.0
    gain = sum(_discount(rank) for rank in ranks if rank <= 10)
    ideal = sum(_discount(rank) for rank in range(1, min(10, len(gold)) + 1))
    recalls = (sum(rank <= most for rank in ranks) / max(1, len(gold)) for most in (5, 10, 20))
    return Score(*recalls, first, gain / ideal if ideal else 0.0)


def score_sessions(found: Sequence[str], gold: Collection[str]) -> SessionScore:
    """Score a ranking by the sessions that answer a question; without any all scores are 0."""
    ranks = _rank_gold(found, gold)
    counts = [sum(rank <= most for rank in ranks) for most in (5, 10)]
    gains = [1.0 if name in gold else 0.0 for name in found]
    ideal = [1.0] * len(gold)
    return SessionScore(
        *(float(count > 0) for count in counts),
        *(float(0 < count == len(gold)) for count in counts),
        1 / ranks[0] if ranks else 0.0,
        compute_ndcg(gains, ideal),
        compute_ndcg(gains, ideal, _discount_after_two),
    )


def score_graded(found: Sequence[str], grades: Mapping[str, int]) -> GradedScore:
    """Score a ranking by graded answers; a grade of 0 or less is not relevant."""
    gold = {name for name, grade in grades.items() if grade > 0}
    ranks = _rank_gold(found, gold)
    precisions = sum(count / rank for count, rank in enumerate(ranks, start=1))
    recalls = (sum(rank <= most for rank in ranks) / max(1, len(gold)) for most in (10, 100))
    return GradedScore(
        compute_ndcg([max(0, grades.get(name, 0)) for name in found], list(grades.values())),
        compute_ndcg([1.0 if name in gold else 0.0 for name in found], [1.0] * len(gold)),
        *recalls,
        precisions / max(1, len(gold)),
        1 / ranks[0] if ranks else 0.0,
    )


def compute_ndcg(
    gains: Sequence[float], known: Sequence[float], discount: Discount | None = None
) -> float:
    """Return nDCG@10: the gains of a ranking beside all known gains in the best order."""
    discount = discount or _discount
    best = sorted((gain for gain in known if gain > 0), reverse=True)
    given, ideal = (
        sum(gain * discount(rank) for rank, gain in enumerate(some[:10], start=1))
        for some in (gains, best)
    )
    return given / ideal if ideal else 0.0


def mean_score(scores: Iterable[Score]) -> Score:
    """Return the mean of each score."""
    return Score._make(map(fmean, zip(*scores, strict=True)))


def permutation_p_value(differences: Sequence[float], rounds: int = ROUNDS) -> float:
    """Return the two-sided p-value of a permutation test that exchanges the two of a pair."""
    changed = [each for each in differences if each]
    threshold, rng = abs(sum(changed)) - 1e-9, random.Random(7)
    extreme = sum(
        abs(sum(one * rng.choice((-1, 1)) for one in changed)) >= threshold for _ in range(rounds)
    )
    return (extreme + 1) / (rounds + 1)


def bootstrap_bounds(
    differences: Sequence[float], rounds: int = ROUNDS // 10
) -> tuple[float, float]:
    """Return the bounds of the 95 % interval of the mean: a bootstrap over the pairs."""
    rng, count = random.Random(7), len(differences)
    means = sorted(fmean(rng.choices(differences, k=count)) for _ in range(rounds))
    return means[int(rounds * 0.025)], means[int(rounds * 0.975)]


def format_table(runs: Runs) -> str:
    """Return the means of each engine, and the differences between the first and the others."""
    lines = [format_means(runs)]
    first, *others = runs
    lines += [f"{first} against {other}: {compare_runs(runs, first, other)}" for other in others]
    return "\n".join(lines)


def format_means(runs: Mapping[str, Sequence[AnyScore]]) -> str:
    """Return the means of each engine, whatever is scored; all engines answered something."""
    fields = next(iter(runs.values()))[0]._fields
    heads = [LABELS[field] for field in fields]
    lines = [f"{'':34}" + "".join(f"{head:>11}" for head in heads)]
    for name, scores in runs.items():
        means = map(fmean, zip(*scores, strict=True))
        lines.append(f"{name:34}" + "".join(f"{mean:11.3f}" for mean in means))
    return "\n".join(lines)


def compare_runs(runs: Runs, one: str, other: str) -> str:
    """Return the differences of two runs of the same questions, in points of recall@5 and MRR."""
    parts = []
    for part, named in (("recall_5", "recall@5"), ("mrr", "MRR")):
        changes = subtract_scores(runs, one, other, part)
        low, high = bootstrap_bounds(changes)
        points = f"{100 * fmean(changes):+.1f} points ({100 * low:+.1f} to {100 * high:+.1f})"
        parts.append(f"{named} {points}, p = {permutation_p_value(changes):.4f}")
    return "; ".join(parts)


def subtract_scores(runs: Runs, one: str, other: str, part: str) -> list[float]:
    """Return for each question how much better one run is than the other."""
    pairs = zip(runs[one], runs[other], strict=True)
    return [getattr(a, part) - getattr(b, part) for a, b in pairs]


def _discount(rank: int) -> float:
    return 1 / log2(rank + 1)


def _discount_after_two(rank: int) -> float:
    return 1 / log2(max(2, rank))


def _rank_gold(found: Sequence[str], gold: Collection[str]) -> list[int]:
    """Return the ranks of the right answers."""
    return [rank for rank, name in enumerate(found[:MAX_RANK], start=1) if name in gold]
