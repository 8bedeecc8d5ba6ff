"""Score the order of answers, and test whether one ranking is better than another."""

from __future__ import annotations

import random
from math import log2
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    Runs = Mapping[str, Sequence["Score"]]

MAX_RANK = 100
"""Answers that are looked at for the first right one."""
ROUNDS = 10_000
"""Times that chance is asked."""


class Score(NamedTuple):
    """What one answered question is worth; each part between 0 and 1."""

    recall_5: float
    recall_10: float
    recall_20: float
    mrr: float
    ndcg_10: float


def score_ranking(found: Sequence[str], gold: Collection[str]) -> Score:
    """Compare an order of answers with the right ones; a question without any counts 0."""
    ranks = [rank for rank, name in enumerate(found[:MAX_RANK], start=1) if name in gold]
    first = 1 / ranks[0] if ranks else 0.0
    gain = sum(_discount(rank) for rank in ranks if rank <= 10)
    ideal = sum(_discount(rank) for rank in range(1, min(10, len(gold)) + 1))
    recalls = (sum(rank <= most for rank in ranks) / max(1, len(gold)) for most in (5, 10, 20))
    return Score(*recalls, first, gain / ideal if ideal else 0.0)


def mean_score(scores: Iterable[Score]) -> Score:
    """Give the mean of each part."""
    return Score._make(map(fmean, zip(*scores, strict=True)))


def permutation_p_value(differences: Sequence[float], rounds: int = ROUNDS) -> float:
    """Tell how likely it is that pairs differ so much in the mean where there is no difference.

    A permutation test: the two of a pair are exchanged at random; two-sided.
    """
    told = [each for each in differences if each]
    sought, rng = abs(sum(told)) - 1e-9, random.Random(7)
    as_far = sum(
        abs(sum(one * rng.choice((-1, 1)) for one in told)) >= sought for _ in range(rounds)
    )
    return (as_far + 1) / (rounds + 1)


def bootstrap_bounds(
    differences: Sequence[float], rounds: int = ROUNDS // 10
) -> tuple[float, float]:
    """Give the bounds within which the mean lies 95 times of 100: a bootstrap over the pairs."""
    rng, count = random.Random(7), len(differences)
    means = sorted(fmean(rng.choices(differences, k=count)) for _ in range(rounds))
    return means[int(rounds * 0.025)], means[int(rounds * 0.975)]


def format_table(runs: Runs) -> str:
    """Show the means of each way of searching, and how far the first is from each other."""
    lines = [f"{'':28}{'recall@5':>10}{'@10':>8}{'@20':>8}{'MRR':>8}{'nDCG@10':>10}"]
    for name, scores in runs.items():
        five, ten, twenty, mrr, ndcg = mean_score(scores)
        lines.append(f"{name:28}{five:10.3f}{ten:8.3f}{twenty:8.3f}{mrr:8.3f}{ndcg:10.3f}")
    first, *others = runs
    lines += [f"{first} against {other}: {compare_runs(runs, first, other)}" for other in others]
    return "\n".join(lines)


def compare_runs(runs: Runs, one: str, other: str) -> str:
    """Say in points of recall@5 and MRR how far two runs of the same questions are apart."""
    said = []
    for part, named in (("recall_5", "recall@5"), ("mrr", "MRR")):
        apart = subtract_scores(runs, one, other, part)
        low, high = bootstrap_bounds(apart)
        points = f"{100 * fmean(apart):+.1f} points ({100 * low:+.1f} to {100 * high:+.1f})"
        said.append(f"{named} {points}, p = {permutation_p_value(apart):.4f}")
    return "; ".join(said)


def subtract_scores(runs: Runs, one: str, other: str, part: str) -> list[float]:
    """Give question by question how much better one run is than the other."""
    pairs = zip(runs[one], runs[other], strict=True)
    return [getattr(a, part) - getattr(b, part) for a, b in pairs]


def _discount(rank: int) -> float:
    return 1 / log2(rank + 1)
