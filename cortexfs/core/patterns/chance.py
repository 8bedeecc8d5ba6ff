"""Could it be chance? Bounds and tests of rates, with the standard library only."""

from __future__ import annotations

from math import exp, lgamma, log, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

CONFIDENCE_Z = 1.6449
"""Quantile of the normal distribution for a one-sided bound of 95 %."""
FALSE_DISCOVERY_RATE = 0.05
HALF_LIFE_DAYS = 30.0
"""Age in days at which a session counts half in the bound."""
PRIOR_RATE = 0.1
"""The rate of chance that is assumed before anything was observed."""
MIN_BASE_RATE, MAX_BASE_RATE = 0.05, 0.95


def compute_wilson_bound(hits: float, trials: float) -> float:
    """Return the lower bound of a rate (Wilson 1927), one-sided, 95 %; 0 without trials.

    The numbers may be sums of weights.
    """
    if trials <= 0 or hits <= 0:
        return 0.0
    rate, z2 = min(hits / trials, 1.0), CONFIDENCE_Z**2
    spread = CONFIDENCE_Z * sqrt(rate * (1 - rate) / trials + z2 / (4 * trials**2))
    return max((rate + z2 / (2 * trials) - spread) / (1 + z2 / trials), 0.0)


def compute_binomial_tail(hits: int, trials: int, rate: float) -> float:
    """Return the probability of at least `hits` hits in independent trials, for 0 < rate < 1."""
    if hits <= 0:
        return 1.0
    if hits > trials:
        return 0.0
    logs = [
        lgamma(trials + 1) - lgamma(k + 1) - lgamma(trials - k + 1)
        + k * log(rate) + (trials - k) * log(1 - rate)
        for k in range(hits, trials + 1)
    ]  # fmt: skip
    highest = max(logs)
    return min(exp(highest) * sum(exp(each - highest) for each in logs), 1.0)


def estimate_base_rate(hits: float, trials: float, prior_trials: float) -> float:
    """Return a rate of chance, within the limits; the prior counts as that many trials."""
    rate = (hits + PRIOR_RATE * prior_trials) / (trials + prior_trials)
    return min(max(rate, MIN_BASE_RATE), MAX_BASE_RATE)


def compute_decay_weight(age_days: float) -> float:
    """Return the weight of a session from its age in days: 1 at once, 0.5 at `HALF_LIFE_DAYS`."""
    return float(2.0 ** (-age_days / HALF_LIFE_DAYS))


def find_discovery_threshold(probabilities: Sequence[float], candidate_count: int) -> float:
    """Return the highest probability that counts as found; 0 if none does.

    The step-up procedure of Benjamini and Hochberg (1995): of all candidates, those that
    are not in `probabilities` have the probability 1.
    """
    threshold = 0.0
    for rank, probability in enumerate(sorted(probabilities), 1):
        if probability <= FALSE_DISCOVERY_RATE * rank / candidate_count:
            threshold = probability
    return threshold
