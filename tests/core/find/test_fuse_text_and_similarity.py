"""Two ways to fit become one, whatever the scales that they are measured on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.find.fuse_text_and_similarity import TEXT_WEIGHT, ScoreSet, fuse_scores

scores = st.dictionaries(st.integers(0, 20), st.integers(1, 1000).map(float), max_size=12)
score_sets = st.tuples(scores, st.booleans()).map(
    lambda given: ScoreSet(given[0], min(given[0].values(), default=0.0) if given[1] else 0.0)
)


def _order(text_scores: ScoreSet, similarities: ScoreSet, weight: float = TEXT_WEIGHT) -> list[int]:
    fused = fuse_scores(text_scores, similarities, weight=weight)
    return sorted(fused, key=lambda atom: (-round(fused[atom].score, 9), atom))


def _rescale(scores: ScoreSet, factor: int, more: int) -> ScoreSet:
    return ScoreSet(
        {k: v * factor + more for k, v in scores.scores.items()}, scores.min_score * factor + more
    )


@given(score_sets, score_sets, st.integers(1, 50), st.integers(0, 50))
def test_the_order_does_not_depend_on_the_scale_of_the_scores(
    text_scores: ScoreSet, similarities: ScoreSet, factor: int, more: int
) -> None:
    order = _order(text_scores, similarities)
    assert _order(_rescale(text_scores, factor, more), similarities) == order
    assert _order(text_scores, _rescale(similarities, factor, more)) == order


@given(score_sets, score_sets)
def test_a_score_with_all_the_weight_decides_the_order(
    text_scores: ScoreSet, similarities: ScoreSet
) -> None:
    for weight, way, other in ((1.0, text_scores, similarities), (0.0, similarities, text_scores)):
        order = [atom for atom in _order(text_scores, similarities, weight) if atom in way.scores]
        assert order == sorted(way.scores, key=lambda atom: (-way.scores[atom], atom))
        assert other.scores.keys() <= fuse_scores(text_scores, similarities, weight=weight).keys()


@given(score_sets)
def test_atoms_without_embeddings_are_ordered_by_text_score(text_scores: ScoreSet) -> None:
    fused = fuse_scores(text_scores, ScoreSet({}), unknown=text_scores.scores.keys())
    assert all(hit.score == pytest.approx(hit.text_score) for hit in fused.values())
    assert all(hit.similarity is None for hit in fused.values())


@given(score_sets, score_sets)
def test_fused_scores_lie_between_0_and_1(text_scores: ScoreSet, similarities: ScoreSet) -> None:
    for hit in fuse_scores(text_scores, similarities).values():
        assert 0 <= hit.score <= 1
        assert 0 <= hit.text_score <= 1


def test_the_best_text_match_comes_before_the_most_similar_atom() -> None:
    assert _order(ScoreSet({1: 9.0, 2: 3.0}), ScoreSet({3: 0.6, 2: 0.5}, 0.25)) == [1, 2, 3]
