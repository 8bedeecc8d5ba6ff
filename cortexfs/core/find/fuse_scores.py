"""Two ways to fit a question, the words and the meaning, made one.

Each way is scaled between its least and its best, and the two are added, the words weighing more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

TEXT_WEIGHT = 0.65
"""What the words weigh. Measured with BM25 and a small model: .6 to .7 is best on questions about
conversations (LoCoMo), and near the best on abstracts (Cranfield). To add reciprocal ranks instead
makes the answers worse than those of the words alone where the model is the weaker of the two.
"""
MIN_COSINE = 0.25
"""The cosine below which a text means something else: a question about nothing finds nothing."""


class ScoreSet(NamedTuple):
    """How well atoms fit in one way; all others fit no better than `least`."""

    scores: Mapping[int, float]
    min_score: float = 0.0


class FusedScore(NamedTuple):
    """How well one atom fits: all in all, by its words and by its meaning, between 0 and 1."""

    score: float
    text_score: float
    similarity: float | None
    """None where the meaning is not known."""


def fuse_scores(
    text_scores: ScoreSet,
    similarities: ScoreSet,
    unknown: Container[int] = (),
    weight: float = TEXT_WEIGHT,
) -> dict[int, FusedScore]:
    """Weigh what fits in either way; where the meaning is unknown it is what the words are."""
    said, meant = _scaled(text_scores), _scaled(similarities)
    return {
        atom: _fit(said.get(atom, 0.0), None if atom in unknown else meant.get(atom, 0.0), weight)
        for atom in {**said, **meant}
    }


def _fit(words: float, meaning: float | None, weight: float) -> FusedScore:
    other = words if meaning is None else meaning
    return FusedScore(weight * words + (1 - weight) * other, words, meaning)


def _scaled(way: ScoreSet) -> dict[int, float]:
    """Give 0 to what fits least and 1 to what fits best."""
    width = max(way.scores.values(), default=0.0) - way.min_score
    return {
        atom: (score - way.min_score) / width if width > 0 else 1.0
        for atom, score in way.scores.items()
    }
