"""Combine two scores of a query: by words (lexical) and by embedding similarity.

A lexical score has no scale of its own, and is divided by the best one. A cosine means the same
for each query, and counts as it is: if no text is similar, the words decide. In a language that the
model was not trained for, it counts less.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.language_profiles import SCRIPTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TEXT_WEIGHT = 0.5
"""The weight of the words, from 0 to 1, in the language of the model; the rest is the cosine's."""
FOREIGN_TEXT_WEIGHT, OTHER_SCRIPT_TEXT_WEIGHT = 0.6, 0.7
"""The weight of the words in another language, and in another script than Latin.

Measured on package descriptions in German, Spanish and Chinese: names and foreign words are still
similar, which gains up to 5 points of recall@5 where words find three of four texts. Where words
find nearly all, a lower weight loses up to a point of MRR.
"""
MODEL_LANGUAGES = frozenset({"", "en"})
"""The languages of the model; texts of unknown language are treated as English."""
MAX_JUDGED_MATCHES = 10
"""Number of best matches by words that tell the language of a query whose words do not."""
MIN_COSINE = 0.25
"""The minimum cosine similarity of an atom that is found by similarity alone."""


class FusedScore(NamedTuple):
    """The scores of one atom from 0 to 1: combined, by words, and by embedding similarity."""

    score: float
    text_score: float
    similarity: float | None
    """None if the embedding is missing."""


def choose_text_weight(language: str, matches: Sequence[tuple[str, float]]) -> float:
    """Return the weight of the words for a query in a language, which may be unknown.

    `matches` are the languages of its best matches by words, with their scores.
    """
    known = [(language, 1.0)] if language else matches
    total = sum(score for _, score in known)
    if not total:
        return TEXT_WEIGHT
    return sum(_get_text_weight(code) * score for code, score in known) / total


def _get_text_weight(language: str) -> float:
    if language in MODEL_LANGUAGES:
        return TEXT_WEIGHT
    return OTHER_SCRIPT_TEXT_WEIGHT if language in SCRIPTS else FOREIGN_TEXT_WEIGHT


def fuse_scores(
    text_scores: Mapping[int, float],
    similarities: Mapping[int, float | None],
    weight: float = TEXT_WEIGHT,
) -> dict[int, FusedScore]:
    """Return the combined score of each atom that has a lexical score; 0 is one too.

    An atom without embedding is taken for as similar, relative to the most similar one, as it
    matches by words.
    """
    best = max(text_scores.values(), default=0.0) or 1.0
    known = {atom: max(cos, 0.0) for atom, cos in similarities.items() if cos is not None}
    most_similar = max(known.values(), default=1.0)
    return {
        atom: _fuse(score / best, known.get(atom), most_similar, weight)
        for atom, score in text_scores.items()
    }


def _fuse(text_score: float, known: float | None, most_similar: float, weight: float) -> FusedScore:
    similarity = text_score * most_similar if known is None else known
    return FusedScore(weight * text_score + (1 - weight) * similarity, text_score, known)
