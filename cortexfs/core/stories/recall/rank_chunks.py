"""From the texts of candidate chunks to how relevant each is, and its best messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.fuse_text_and_similarity import TEXT_WEIGHT
from cortexfs.core.stories.recall.score_answers import asks_for_time, score_answers
from cortexfs.core.stories.recall.score_messages import CHUNK_SHARE, score_messages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.recall.chunk_text import ChunkText
    from cortexfs.core.stories.recall.score_messages import WeightedTerm

FULL_SHARE = 0.4
"""The part of the highest possible score from which the words of a scene are fully relevant."""


class Candidate(NamedTuple):
    """A chunk that may be recalled: the number of its first message, its text, its similarity.

    The similarity is that of embeddings; None if they are not used.
    """

    first: int
    text: ChunkText
    similarity: float | None = None


def rank_chunks(
    terms: Sequence[WeightedTerm], chunks: Sequence[Candidate], total: int, question: str
) -> list[tuple[float, ...]]:
    """Return how relevant each message of each chunk is, from 0 to 1.

    `total` counts all messages of the story. `question` is empty in a scene that goes on. The best
    answer to a question is fully relevant; what resembles a scene only as far as it has its words.
    """
    scores = score_messages(terms, [chunk.text.terms for chunk in chunks], total)
    values = [
        [one + CHUNK_SHARE * whole for one in own]
        for own, whole in zip(scores.own, scores.chunks, strict=True)
    ]
    if question:
        values = _score_as_answers(
            chunks, values, scores.own, is_time_asked=asks_for_time(question)
        )
    best = max((max(each, default=0.0) for each in values), default=0.0)
    scale = (best if question else max(best, FULL_SHARE * scores.highest)) or 1.0
    return [
        tuple([_fuse(value / scale, chunk.similarity) for value in each])
        for chunk, each in zip(chunks, values, strict=True)
    ]


def _score_as_answers(
    chunks: Sequence[Candidate],
    values: Sequence[Sequence[float]],
    own: Sequence[Sequence[float]],
    *,
    is_time_asked: bool,
) -> list[list[float]]:
    """Return the scores of messages as answers; chunks that follow each other are one text."""
    order = sorted(range(len(chunks)), key=lambda number: chunks[number].first)
    messages = [
        (chunks[number].first + place, message)
        for number in order
        for place, message in enumerate(chunks[number].text.messages)
    ]
    flat_values = [value for number in order for value in values[number]]
    flat_own = [value for number in order for value in own[number]]
    found = iter(score_answers(flat_values, flat_own, messages, is_time_asked=is_time_asked))
    by_number = {number: [next(found) for _ in values[number]] for number in order}
    return [by_number[number] for number in range(len(chunks))]


def _fuse(by_words: float, similarity: float | None) -> float:
    if similarity is None:
        return by_words
    return TEXT_WEIGHT * by_words + (1 - TEXT_WEIGHT) * max(0.0, similarity)
