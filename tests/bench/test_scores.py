"""The figures of `bench` are right: by examples that were reckoned by hand, and by laws."""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.scores import (
    Score,
    bootstrap_bounds,
    compute_ndcg,
    format_means,
    mean_score,
    permutation_p_value,
    score_graded,
    score_ranking,
    score_sessions,
)

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


def test_graded_answers_gain_their_grades() -> None:
    """Found: nothing, grade 1, grade 3, a judged text that is not relevant; grade 2 is missing."""
    scores = score_graded(["x", "a", "b", "z"], {"a": 1, "b": 3, "c": 2, "z": 0, "y": -1})
    graded = (1 / log2(3) + 3 / log2(4)) / (3 + 2 / log2(3) + 1 / log2(4))
    binary = (1 / log2(3) + 1 / log2(4)) / (1 + 1 / log2(3) + 1 / log2(4))
    precisions = (1 / 2 + 2 / 3) / 3
    assert scores == pytest.approx((graded, binary, 2 / 3, 2 / 3, precisions, 1 / 2))


def test_only_ten_answers_count_for_ndcg_and_a_hundred_for_the_rest() -> None:
    found = [*(f"x{number}" for number in range(10)), "a", *(f"y{n}" for n in range(89)), "b"]
    scores = score_graded(found, {"a": 1, "b": 1})
    assert scores == pytest.approx((0, 0, 0, 1 / 2, 1 / 11 / 2, 1 / 11))


def test_grades_without_a_relevant_text_score_0() -> None:
    assert set(score_graded(["a"], {"a": 0, "b": -1})) == {0.0}
    assert set(score_graded([], {"a": 2})) == {0.0}


@given(st.permutations(NAMES), st.dictionaries(st.sampled_from(NAMES), st.integers(-1, 4)))
def test_no_order_is_better_than_that_of_the_grades(found: list[str], grades: dict) -> None:
    best = score_graded(sorted(found, key=lambda name: -grades.get(name, 0)), grades)
    scores = score_graded(found, grades)
    assert all(0 <= part <= most + 1e-9 for part, most in zip(scores, best, strict=True))
    assert best.ndcg_10 == pytest.approx(1 if any(grade > 0 for grade in grades.values()) else 0)


@given(st.permutations(NAMES), st.sets(st.sampled_from(NAMES), min_size=1))
def test_equal_grades_score_like_ungraded_answers(found: list[str], gold: set[str]) -> None:
    graded, plain = score_graded(found, dict.fromkeys(gold, 1)), score_ranking(found, gold)
    assert graded.ndcg_10 == pytest.approx(graded.ndcg_10_binary)
    assert (graded.ndcg_10_binary, graded.recall_10, graded.mrr) == pytest.approx(
        (plain.ndcg_10, plain.recall_10, plain.mrr)
    )


def test_sessions_are_found_if_any_or_if_all_of_them_are() -> None:
    """Right ones at ranks 2 and 6: any at 5, all only at 10."""
    scores = score_sessions(["x1", "a", "x2", "x3", "x4", "b"], {"a", "b"})
    textbook = (1 / log2(3) + 1 / log2(7)) / (1 + 1 / log2(3))
    first_two = (1 + 1 / log2(6)) / (1 + 1)
    assert scores == pytest.approx((1, 1, 0, 1, 1 / 2, textbook, first_two))


def test_no_session_answers_a_question_without_answer() -> None:
    assert set(score_sessions(["a"], ())) == {0.0}
    assert set(score_sessions([], {"a"})) == {0.0}


def test_ndcg_is_that_of_the_textbook() -> None:
    """The example of Järvelin and Kekäläinen's measure: gains 3 2 3 0 1 2, known also 3 and 2."""
    gains, known = [3, 2, 3, 0, 1, 2], [3, 3, 3, 2, 2, 2, 1, 0]
    given_gain = 3 + 2 / log2(3) + 3 / log2(4) + 0 + 1 / log2(6) + 2 / log2(7)
    ideal = 3 + 3 / log2(3) + 3 / 2 + 2 / log2(5) + 2 / log2(6) + 2 / log2(7) + 1 / log2(8)
    assert compute_ndcg(gains, known) == pytest.approx(given_gain / ideal)


def test_a_table_has_a_column_for_each_score() -> None:
    table = format_means({"one": [score_graded(["a"], {"a": 1}), score_graded(["b"], {"a": 1})]})
    head, row = table.splitlines()
    assert head.split() == ["nDCG@10", "binary", "recall@10", "recall@100", "MAP@100", "MRR"]
    assert row.split() == ["one", *["0.500"] * 6]
