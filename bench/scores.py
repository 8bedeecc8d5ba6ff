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
"""The number of answers in which the first right one is searched."""
ROUNDS = 10_000
"""Number of random permutations."""


class Score(NamedTuple):
    """The scores of one answered question, each between 0 and 1."""

    recall_5: float
    recall_10: float
    recall_20: float
    mrr: float
    ndcg_10: float


def score_ranking(found: Sequence[str], gold: Collection[str]) -> Score:
    """Score a ranking by the right answers; a question without any scores 0."""
    ranks = [rank for rank, name in enumerate(found[:MAX_RANK], start=1) if name in gold]
    first = 1 / ranks[0] if ranks else 0.0
    gain = sum(_discount(rank) for rank in ranks if rank <= 10)
    ideal = sum(_discount(rank) for rank in range(1, min(10, len(gold)) + 1))
    recalls = (sum(rank <= most for rank in ranks) / max(1, len(gold)) for most in (5, 10, 20))
    return Score(*recalls, first, gain / ideal if ideal else 0.0)


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
    lines = [f"{'':28}{'recall@5':>10}{'@10':>8}{'@20':>8}{'MRR':>8}{'nDCG@10':>10}"]
    for name, scores in runs.items():
        five, ten, twenty, mrr, ndcg = mean_score(scores)
        lines.append(f"{name:28}{five:10.3f}{ten:8.3f}{twenty:8.3f}{mrr:8.3f}{ndcg:10.3f}")
    first, *others = runs
    lines += [f"{first} against {other}: {compare_runs(runs, first, other)}" for other in others]
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
