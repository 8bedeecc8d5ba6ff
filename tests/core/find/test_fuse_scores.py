"""Two ways to fit become one, whatever the scales that they are measured on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.find.fuse_scores import TEXT_WEIGHT, ScoreSet, fuse_scores

scores = st.dictionaries(st.integers(0, 20), st.integers(1, 1000).map(float), max_size=12)
ways = st.tuples(scores, st.booleans()).map(
    lambda given: ScoreSet(given[0], min(given[0].values(), default=0.0) if given[1] else 0.0)
)


def _order(words: ScoreSet, meaning: ScoreSet, weight: float = TEXT_WEIGHT) -> list[int]:
    fits = fuse_scores(words, meaning, weight=weight)
    return sorted(fits, key=lambda atom: (-round(fits[atom].score, 9), atom))


def _times(way: ScoreSet, factor: int, more: int) -> ScoreSet:
    return ScoreSet(
        {k: v * factor + more for k, v in way.scores.items()}, way.min_score * factor + more
    )


@given(ways, ways, st.integers(1, 50), st.integers(0, 50))
def test_the_order_does_not_depend_on_the_scale_of_the_scores(
    words: ScoreSet, meaning: ScoreSet, factor: int, more: int
) -> None:
    order = _order(words, meaning)
    assert _order(_times(words, factor, more), meaning) == order
    assert _order(words, _times(meaning, factor, more)) == order


@given(ways, ways)
def test_a_score_with_all_the_weight_decides_the_order(words: ScoreSet, meaning: ScoreSet) -> None:
    for weight, way, other in ((1.0, words, meaning), (0.0, meaning, words)):
        order = [atom for atom in _order(words, meaning, weight) if atom in way.scores]
        assert order == sorted(way.scores, key=lambda atom: (-way.scores[atom], atom))
        assert other.scores.keys() <= fuse_scores(words, meaning, weight=weight).keys()


@given(ways)
def test_atoms_without_embeddings_are_ordered_by_text_score(words: ScoreSet) -> None:
    fits = fuse_scores(words, ScoreSet({}), unknown=words.scores.keys())
    assert all(fit.score == pytest.approx(fit.text_score) for fit in fits.values())
    assert all(fit.similarity is None for fit in fits.values())


@given(ways, ways)
def test_fused_scores_lie_between_0_and_1(words: ScoreSet, meaning: ScoreSet) -> None:
    for fit in fuse_scores(words, meaning).values():
        assert 0 <= fit.score <= 1
        assert 0 <= fit.text_score <= 1


def test_the_best_text_match_comes_before_the_most_similar_atom() -> None:
    assert _order(ScoreSet({1: 9.0, 2: 3.0}), ScoreSet({3: 0.6, 2: 0.5}, 0.25)) == [1, 2, 3]
