"""Find pairs of texts with nearly the same words, without comparing each with each."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MIN_SIMILARITY = 0.8
"""The share of common words (Jaccard) from which two texts are near-duplicates."""
MIN_WORDS = 5
"""Texts with fewer distinct words are not compared."""
MAX_WORDS = 2000
"""Maximum number of distinct words of a text that are compared."""
MAX_COMPARED_WORDS = 5_000
"""Maximum words of earlier texts that one text is compared with, about."""
_WORD = re.compile(r"\w+(?:[.,:/-]\w+)*")


class SimilarPair(NamedTuple):
    """The positions of two texts, the later one first, and their similarity from 0 to 1."""

    position: int
    earlier: int
    similarity: float


def find_similar_pairs(texts: Sequence[str]) -> Iterator[SimilarPair]:
    """Yield for each text the most similar earlier one, if it is similar enough.

    Two texts as similar as that share one of their rarest words, so only those are compared; of
    very many, those with the rarest words and then the earliest.
    """
    words = [_list_words(text) for text in texts]
    counts = Counter(word for each in words for word in each)
    by_word: dict[str, list[int]] = defaultdict(list)
    for position, own in enumerate(words):
        if len(own) < MIN_WORDS:
            continue
        rarest = sorted(own, key=lambda word: (counts[word], word))
        prefix = rarest[: len(own) - math.ceil(MIN_SIMILARITY * len(own)) + 1]
        shared = chain.from_iterable(by_word[word] for word in prefix)
        candidates = dict.fromkeys(islice(shared, max(1, MAX_COMPARED_WORDS // len(own))))
        found = [(_compute_similarity(own, words[other]), -other) for other in candidates]
        similarity, other = max(found, default=(0.0, 0))
        if similarity >= MIN_SIMILARITY:
            yield SimilarPair(position, -other, similarity)
        for word in prefix:
            by_word[word].append(position)


def _list_words(text: str) -> frozenset[str]:
    words = dict.fromkeys(_WORD.findall(text.casefold()))
    return frozenset(list(words)[:MAX_WORDS])


def _compute_similarity(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the number of common words, divided by that of all words."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)
