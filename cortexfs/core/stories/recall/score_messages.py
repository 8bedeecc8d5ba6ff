"""Score the messages of a story for a query: BM25 over messages, and what surrounds them."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.stories.message import Message

HALF_COUNT, LENGTH_SHARE = 0.9, 0.4
"""BM25's k1 and b for turns of conversations."""
CHUNK_SHARE = 0.3
"""How much the score of its chunk adds to a message: those around it are about the same."""


class TermIndex(NamedTuple):
    """The terms of the messages of a chunk: of each, with blanks around every term; its length."""

    texts: tuple[str, ...]
    lengths: tuple[int, ...]

    @property
    def length(self) -> int:
        """The number of terms of all messages."""
        return sum(self.lengths)


class WeightedTerm(NamedTuple):
    """A term of a query: its forms, and how much it counts (0 to 1)."""

    forms: tuple[str, ...]
    weight: float


def index_terms(messages: Iterable[Message]) -> TermIndex:
    """Return the terms of messages; who says them counts too."""
    texts: list[str] = []
    lengths: list[int] = []
    for message in messages:
        words, names = tokenize(f"{message.speaker}: {message.text}")
        texts.append(f" {words} {names} ")
        lengths.append(words.count(" ") + 1)
    return TermIndex(tuple(texts), tuple(lengths))


def weigh_terms(
    terms: Sequence[WeightedTerm],
    chunks: Mapping[str, TermIndex],
    total: int,
) -> list[float]:
    """Return the weight of each term: how rare it is among `total` messages, times its weight."""
    weights: list[float] = []
    for term in terms:
        patterns = [f" {form} " for form in term.forms]
        count = sum(
            any(pattern in text for pattern in patterns)
            for index in chunks.values()
            for text in index.texts
        )
        weights.append(term.weight * log(1 + (total - count + 0.5) / (count + 0.5)))
    return weights


def score_messages(
    terms: Sequence[WeightedTerm], weights: Sequence[float], chunks: Mapping[str, TermIndex]
) -> dict[str, tuple[float, ...]]:
    """Return the score of each message of some chunks, with a share of that of its chunk."""
    lengths = [length for index in chunks.values() for length in index.lengths]
    mean = max(1.0, sum(lengths) / max(1, len(lengths)))
    mean_chunk = max(1.0, sum(lengths) / max(1, len(chunks)))
    patterns = [[f" {form} " for form in term.forms] for term in terms]
    return {
        ref: _score_chunk(index, patterns, weights, mean, mean_chunk)
        for ref, index in chunks.items()
    }


def _score_chunk(
    index: TermIndex,
    patterns: Sequence[Sequence[str]],
    weights: Sequence[float],
    mean: float,
    mean_chunk: float,
) -> tuple[float, ...]:
    halves = [_half(length, mean) for length in index.lengths]
    chunk_half = _half(index.length, mean_chunk)
    scores = [0.0] * len(index.texts)
    whole = 0.0
    for forms, weight in zip(patterns, weights, strict=True):
        total = 0
        for place, text in enumerate(index.texts):
            if count := sum([text.count(form) for form in forms]):
                scores[place] += weight * count / (count + halves[place])
                total += count
        if total:
            whole += weight * total / (total + chunk_half)
    return tuple([score + CHUNK_SHARE * whole for score in scores])


def _half(length: int, mean: float) -> float:
    return HALF_COUNT * (1 - LENGTH_SHARE + LENGTH_SHARE * length / mean)
