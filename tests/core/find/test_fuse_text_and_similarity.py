"""Two scores become one: the scale of the words does not count, that of the cosine does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.find.fuse_text_and_similarity import (
    FOREIGN_TEXT_WEIGHT,
    OTHER_SCRIPT_TEXT_WEIGHT,
    TEXT_WEIGHT,
    choose_text_weight,
    fuse_scores,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

atoms = st.integers(0, 20)
text_scores = st.dictionaries(atoms, st.integers(0, 1000).map(float), max_size=12)
cosines = st.integers(-100, 100).map(lambda each: each / 100)
similarities = st.dictionaries(atoms, st.none() | cosines, max_size=12)


def _order(
    scores: Mapping[int, float], others: Mapping[int, float | None], weight: float = TEXT_WEIGHT
) -> list[int]:
    fused = fuse_scores(scores, others, weight)
    return sorted(fused, key=lambda atom: (-round(fused[atom].score, 9), atom))


@given(text_scores, similarities, st.integers(1, 50))
def test_the_order_does_not_depend_on_the_scale_of_the_text_scores(
    scores: dict[int, float], others: dict[int, float | None], factor: int
) -> None:
    rescaled = {atom: score * factor for atom, score in scores.items()}
    assert _order(rescaled, others) == _order(scores, others)


@given(text_scores, st.dictionaries(atoms, st.integers(0, 100).map(lambda each: each / 100)))
def test_a_score_with_all_the_weight_decides_the_order(
    scores: dict[int, float], others: dict[int, float]
) -> None:
    by_words = sorted(scores, key=lambda atom: (-scores[atom], atom))
    assert _order(scores, others, weight=1.0) == by_words
    known = {atom: score for atom, score in scores.items() if atom in others}
    by_cosine = sorted(known, key=lambda atom: (-others[atom], atom))
    assert _order(known, others, weight=0.0) == by_cosine


@given(text_scores)
def test_atoms_without_embeddings_are_ordered_by_text_score(scores: dict[int, float]) -> None:
    fused = fuse_scores(scores, {})
    assert all(hit.score == pytest.approx(hit.text_score) for hit in fused.values())
    assert all(hit.similarity is None for hit in fused.values())


@given(text_scores, similarities)
def test_fused_scores_lie_between_0_and_1(
    scores: dict[int, float], others: dict[int, float | None]
) -> None:
    for hit in fuse_scores(scores, others).values():
        assert 0 <= hit.score <= 1
        assert 0 <= hit.text_score <= 1


def test_a_small_difference_of_cosines_does_not_reverse_a_large_one_of_words() -> None:
    assert _order({1: 9.0, 2: 6.0}, {1: 0.20, 2: 0.24}) == [1, 2]


def test_an_atom_found_by_similarity_alone_comes_before_a_weak_match_by_words() -> None:
    assert _order({1: 9.0, 2: 0.5, 3: 0.0}, {1: 0.1, 2: 0.1, 3: 0.7}) == [1, 3, 2]


def test_an_atom_without_embedding_is_not_better_than_the_best_match_in_both_ways() -> None:
    assert _order({1: 9.0, 2: 8.9}, {1: 0.6, 2: None}) == [1, 2]


def test_words_count_more_where_the_query_is_not_in_the_language_of_the_model() -> None:
    german, english = [("de", 2.0)], [("en", 3.0), ("", 1.0)]
    assert choose_text_weight("en", german) == TEXT_WEIGHT
    assert choose_text_weight("de", english) == FOREIGN_TEXT_WEIGHT > TEXT_WEIGHT
    assert choose_text_weight("zh", english) == OTHER_SCRIPT_TEXT_WEIGHT > FOREIGN_TEXT_WEIGHT


def test_the_best_matches_tell_the_language_of_a_query_whose_words_do_not() -> None:
    assert choose_text_weight("", [("en", 3.0), ("", 1.0)]) == TEXT_WEIGHT
    assert choose_text_weight("", [("zh", 3.0)]) == pytest.approx(OTHER_SCRIPT_TEXT_WEIGHT)
    assert TEXT_WEIGHT < choose_text_weight("", [("de", 3.0), ("en", 3.0)]) < FOREIGN_TEXT_WEIGHT
    assert choose_text_weight("", []) == TEXT_WEIGHT
