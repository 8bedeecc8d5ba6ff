"""Combine two scores of a query: by words (lexical) and by embedding similarity.

Each score is scaled from its minimum to its maximum; their weighted sum favours the words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

TEXT_WEIGHT = 0.65
"""The weight of the words, from 0 to 1.

Measured with BM25 and a small model: .6 to .7 is best on questions about conversations (LoCoMo),
and near the best on abstracts (Cranfield). Adding reciprocal ranks instead gives worse results than
the words alone where the model is the weaker of the two.
"""
MIN_COSINE = 0.25
"""The minimum cosine similarity; below it a text does not match."""


class ScoreSet(NamedTuple):
    """The scores of atoms by one method; all other atoms score at most `min_score`."""

    scores: Mapping[int, float]
    min_score: float = 0.0


class FusedScore(NamedTuple):
    """The scores of one atom from 0 to 1: combined, by words, and by embedding similarity."""

    score: float
    text_score: float
    similarity: float | None
    """None if the embedding is missing."""


def fuse_scores(
    text_scores: ScoreSet,
    similarities: ScoreSet,
    unknown: Container[int] = (),
    weight: float = TEXT_WEIGHT,
) -> dict[int, FusedScore]:
    """Return the combined score of each atom that scores in either way.

    An atom in `unknown` has no embedding; its word score is used for both.
    """
    by_text, by_similarity = _scale(text_scores), _scale(similarities)
    return {
        atom: _fuse(
            by_text.get(atom, 0.0),
            None if atom in unknown else by_similarity.get(atom, 0.0),
            weight,
        )
        for atom in {**by_text, **by_similarity}
    }


def _fuse(text_score: float, similarity: float | None, weight: float) -> FusedScore:
    other = text_score if similarity is None else similarity
    return FusedScore(weight * text_score + (1 - weight) * other, text_score, similarity)


def _scale(scores: ScoreSet) -> dict[int, float]:
    """Return the scores scaled linearly: `min_score` becomes 0 and the maximum 1."""
    width = max(scores.scores.values(), default=0.0) - scores.min_score
    return {
        atom: (score - scores.min_score) / width if width > 0 else 1.0
        for atom, score in scores.scores.items()
    }
