"""Score the messages of a story for a query: BM25 over messages, with a share of their chunk."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.stories.message import Message

HALF_COUNT, LENGTH_SHARE = 0.9, 0.4
"""BM25's k1 and b for turns of conversations."""
CHUNK_SHARE = 0.3
"""How much the score of its chunk adds to a message: those around it are about the same."""


class TermIndex(NamedTuple):
    """The terms of the messages of a chunk, with blanks around each: of who speaks, of all of it.

    `lengths` counts the terms of each message.
    """

    texts: tuple[str, ...]
    lengths: tuple[int, ...]
    speakers: tuple[str, ...]

    def cut_after(self, count: int) -> TermIndex:
        """Return the terms of the first messages."""
        return TermIndex(self.texts[:count], self.lengths[:count], self.speakers[:count])


class WeightedTerm(NamedTuple):
    """A term of a query: its forms, and how much it counts (0 to 1)."""

    forms: tuple[str, ...]
    weight: float

    @property
    def patterns(self) -> list[str]:
        """How its forms look in the terms of a message."""
        return [f" {form[:-1]}" if form.endswith("*") else f" {form} " for form in self.forms]


class MessageScores(NamedTuple):
    """The score of each message of each chunk by its words, and the highest that is possible."""

    own: list[list[float]]
    chunks: list[float]
    highest: float


def index_terms(messages: Iterable[Message]) -> TermIndex:
    """Return the terms of messages; who says them is part of their text."""
    texts: list[str] = []
    lengths: list[int] = []
    speakers: list[str] = []
    for message in messages:
        words, names = tokenize(f"{message.speaker}: {message.text}")
        texts.append(f" {words} {names} ")
        lengths.append(words.count(" ") + 1)
        speakers.append(f" {tokenize(message.speaker).words} ")
    return TermIndex(tuple(texts), tuple(lengths), tuple(speakers))


def score_messages(
    terms: Sequence[WeightedTerm], chunks: Sequence[TermIndex], total: int
) -> MessageScores:
    """Return the scores of the messages of some chunks, out of `total` messages of the story."""
    lengths = [length for chunk in chunks for length in chunk.lengths]
    mean = max(1.0, sum(lengths) / max(1, len(lengths)))
    halves = [[_half(length, mean) for length in chunk.lengths] for chunk in chunks]
    mean_chunk = max(1.0, sum(lengths) / max(1, len(chunks)))
    chunk_halves = [_half(sum(chunk.lengths), mean_chunk) for chunk in chunks]
    own = [[0.0] * len(chunk.texts) for chunk in chunks]
    whole = [0.0] * len(chunks)
    highest = 0.0
    for term in terms:
        counts = [_count(chunk, term.patterns) for chunk in chunks]
        holders = sum(count > 0 for each in counts for count in each)
        weight = term.weight * log(1 + (total - holders + 0.5) / (holders + 0.5))
        highest += weight if holders else 0.0
        for number, each in enumerate(counts):
            if every := sum(each):
                whole[number] += weight * every / (every + chunk_halves[number])
                _add(own[number], each, halves[number], weight)
    return MessageScores(own, whole, highest)


def _count(chunk: TermIndex, patterns: Sequence[str]) -> list[int]:
    if len(patterns) == 1:
        pattern = patterns[0]
        return [text.count(pattern) for text in chunk.texts]
    return [sum([text.count(pattern) for pattern in patterns]) for text in chunk.texts]


def _add(
    scores: list[float], counts: Sequence[int], halves: Sequence[float], weight: float
) -> None:
    for place, count in enumerate(counts):
        if count:
            scores[place] += weight * count / (count + halves[place])


def _half(length: int, mean: float) -> float:
    return HALF_COUNT * (1 - LENGTH_SHARE + LENGTH_SHARE * length / mean)
