"""The figures of `bench` are right: by examples that were reckoned by hand, and by laws."""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.scores import Score, bootstrap_bounds, mean_score, permutation_p_value, score_ranking

NAMES = [f"n{number}" for number in range(30)]


def test_a_question_is_scored_by_the_ranks_of_the_right_answers() -> None:
    found = ["x1", "a", "x2", "x3", "x4", "b", "x5"]
    scores = score_ranking(found, {"a", "b", "c"})
    ideal = 1 + 1 / log2(3) + 1 / log2(4)
    gained = 1 / log2(3) + 1 / log2(7)
    assert scores == pytest.approx((1 / 3, 2 / 3, 2 / 3, 1 / 2, gained / ideal))


def test_the_eleventh_result_counts_only_for_the_scores_at_20() -> None:
    assert score_ranking([*NAMES[:10], "a"], {"a"}) == pytest.approx((0, 0, 1, 1 / 11, 0))


def test_a_question_without_answers_or_results_scores_0() -> None:
    assert score_ranking(NAMES, ()) == Score(0, 0, 0, 0, 0)
    assert score_ranking([], {"a"}) == Score(0, 0, 0, 0, 0)


def test_a_mean_is_taken_for_each_score() -> None:
    assert mean_score([Score(1, 1, 1, 1, 1), Score(0, 1, 1, 0.5, 0)]) == Score(0.5, 1, 1, 0.75, 0.5)


@given(st.permutations(NAMES), st.sets(st.sampled_from(NAMES), min_size=1, max_size=10))
def test_the_best_order_has_all_right_answers_first(found: list[str], gold: set[str]) -> None:
    best = score_ranking([*sorted(gold), *(name for name in found if name not in gold)], gold)
    scores = score_ranking(found, gold)
    assert all(0 <= part <= most + 1e-9 for part, most in zip(scores, best, strict=True))
    assert best.mrr == best.ndcg_10 == pytest.approx(1)
    assert scores.recall_5 <= scores.recall_10 <= scores.recall_20


def test_chance_explains_balanced_but_not_one_sided_differences() -> None:
    assert permutation_p_value([0.1, -0.1] * 20, rounds=200) > 0.5
    assert permutation_p_value([0.1] * 20, rounds=200) < 0.02
    assert permutation_p_value([0.0] * 20, rounds=200) == 1


def test_a_mean_lies_within_its_confidence_interval() -> None:
    low, high = bootstrap_bounds([0.0, 1.0] * 50)
    assert 0.35 < low < 0.5 < high < 0.65
