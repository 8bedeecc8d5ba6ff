"""The bounds and tests agree with what was computed elsewhere."""

from __future__ import annotations

from math import comb

import pytest

from cortexfs.core.patterns.chance import (
    compute_binomial_tail,
    compute_decay_weight,
    compute_wilson_bound,
    estimate_base_rate,
    find_discovery_threshold,
)


@pytest.mark.parametrize(
    ("hits", "trials", "bound"),
    [(5, 5, 0.649), (6, 7, 0.547), (8, 10, 0.541), (3, 4, 0.356), (0, 5, 0.0), (0, 0, 0.0)],
)
def test_the_wilson_bound(hits: int, trials: int, bound: float) -> None:
    assert compute_wilson_bound(hits, trials) == pytest.approx(bound, abs=0.002)


@pytest.mark.parametrize(("hits", "trials", "rate"), [(4, 4, 0.1), (3, 9, 0.3), (40, 88, 0.5)])
def test_the_tail_is_the_sum_of_the_terms(hits: int, trials: int, rate: float) -> None:
    terms = (
        comb(trials, k) * rate**k * (1 - rate) ** (trials - k) for k in range(hits, trials + 1)
    )
    assert compute_binomial_tail(hits, trials, rate) == pytest.approx(sum(terms))


def test_the_tail_of_many_trials_neither_overflows_nor_vanishes() -> None:
    assert compute_binomial_tail(0, 5, 0.5) == 1.0
    assert compute_binomial_tail(6, 5, 0.5) == 0.0
    assert compute_binomial_tail(25_000, 50_000, 0.5) == pytest.approx(0.5, abs=0.01)


def test_the_example_of_benjamini_and_hochberg() -> None:
    probabilities = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459,
                     0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]  # fmt: skip
    assert find_discovery_threshold(probabilities, 15) == 0.0095
    assert find_discovery_threshold(probabilities[:2], 10_000) == 0.0
    assert find_discovery_threshold([], 0) == 0.0


def test_rates_are_shrunk_and_weights_halve() -> None:
    assert estimate_base_rate(0, 0, 10) == 0.1
    assert estimate_base_rate(4, 5, 10) == pytest.approx(1 / 3)
    assert estimate_base_rate(0, 1000, 10) == 0.05
    assert estimate_base_rate(1000, 1000, 2) == 0.95
    assert compute_decay_weight(30) == 0.5
