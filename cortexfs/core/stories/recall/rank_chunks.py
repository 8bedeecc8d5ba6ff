"""From the texts of candidate chunks to how relevant each is, and its best messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.fuse_text_and_similarity import TEXT_WEIGHT
from cortexfs.core.stories.recall.score_messages import score_messages, weigh_terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.stories.recall.chunk_text import ChunkText
    from cortexfs.core.stories.recall.score_messages import WeightedTerm

FULL_SHARE = 0.4
"""The part of the best possible score from which words of a scene are fully relevant."""


class Relevance(NamedTuple):
    """How relevant a chunk is, from 0 to 1, and the score of each of its messages."""

    value: float
    messages: tuple[float, ...]


def rank_chunks(
    terms: Sequence[WeightedTerm],
    texts: Mapping[str, ChunkText],
    similarities: Mapping[str, float],
    total: int,
    *,
    is_question: bool,
) -> dict[str, Relevance]:
    """Return how relevant chunks are for the terms of a query; `total` counts all messages.

    `similarities` are those of embeddings, by ref: without any, words decide. The best answer to a
    question is fully relevant; what resembles a scene only as far as it has its words.
    """
    indexes = {ref: text.terms for ref, text in texts.items()}
    weights = weigh_terms(terms, indexes, total)
    scores = score_messages(terms, weights, indexes)
    best = max((max(each, default=0.0) for each in scores.values()), default=0.0)
    scale = best if is_question else max(best, FULL_SHARE * sum(weights))
    return {
        ref: Relevance(_fuse(max(each, default=0.0) / (scale or 1.0), similarities.get(ref)), each)
        for ref, each in scores.items()
    }


def _fuse(by_words: float, similarity: float | None) -> float:
    if similarity is None:
        return by_words
    return TEXT_WEIGHT * by_words + (1 - TEXT_WEIGHT) * max(0.0, similarity)
