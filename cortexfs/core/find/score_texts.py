"""Score texts by the terms that they have: BM25F, the same for each full-text index.

A full-text index finds the candidates for a query, and its own score decides which they are.
Here they are scored again. Each occurrence of a term counts with the weight of its part; the sum
over all parts is saturated once, so that a title does not outweigh the rest of the text.
"""

from __future__ import annotations

from math import log, log2
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.count_terms import (
    FORM_SEPARATOR,
    SearchedPatterns,
    WeightedText,
)
from cortexfs.core.find.indexed_fields import FIELD_WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from cortexfs.core.find.count_terms import CountedTexts
    from cortexfs.core.find.parse_query import Query

MIN_COUNT, MAX_COUNT = 0.8, 2.0
"""The bounds of BM25's k1: the count of a term, in a text of mean length, with half of the score
that the term can have at most."""
MIN_LENGTH_SHARE, MAX_LENGTH_SHARE = 0.5, 0.75
"""The bounds of BM25's b: how much the length of a text counts, from 0 to 1."""
MEDIUM_LENGTH = 128
"""The mean length of texts, in terms, for which the usual k1 of 1.2 and b of 0.75 are best."""
FORM_WEIGHT = 0.6
"""The weight of all forms of a term together; the rest is that of the form that was typed.

Measured on manual pages in six languages: with 1, words in another inflection displace exact ones.
"""
PART_END = "|"
"""A token that no text and no query has: no phrase matches across parts."""
_repeat_parts = itemgetter(
    *(part for part, weight in enumerate(FIELD_WEIGHTS) for _ in range(weight))
)
"""Returns the parts of a text, each as many times as it weighs."""
_join_parts = f" {PART_END} ".join


class TextStatistics(NamedTuple):
    """What all texts of an index have together."""

    text_count: int
    average_length: float
    frequencies: Mapping[str, int]
    """The number of texts with each searched string: a term, a prefix, or a phrase."""
    holders: Mapping[str, Collection[int]] = MappingProxyType({})
    """All texts that may have a rare searched string, so that the others need not be compared."""


def list_searched_strings(query: Query) -> tuple[str, ...]:
    """Return the terms, prefixes and phrases that add to a score, each once.

    What has further forms is followed by all its forms, one per line: a text with any of them has
    it, and more so a text with the form that was typed.
    """
    strings = [*query.terms, *map(" ".join, query.phrases)]
    return tuple(dict.fromkeys(one for each in strings for one in _list_with_forms(query, each)))


def _list_with_forms(query: Query, searched: str) -> tuple[str, ...]:
    forms = query.list_forms(searched)
    return (searched,) if len(forms) == 1 else (searched, FORM_SEPARATOR.join(forms))


def weigh_parts(parts: Sequence[str], length: int | None = None) -> WeightedText:
    """Return the terms of all parts, each part as many times as it weighs; count them if needed."""
    if length is None:
        length = sum(part.count(" ") + 1 for part in parts if part)
    return WeightedText(f" {_join_parts(_repeat_parts(parts))} ", length)


class Saturation(NamedTuple):
    """How fast further occurrences of a term stop to count, and how much the length counts."""

    half_count: float
    length_share: float

    @classmethod
    def from_average_length(cls, average_length: float) -> Saturation:
        """Return what is best for texts of a mean length.

        In long texts even the fifth occurrence of a term says something; of texts with one
        sentence the longer ones are not about more than the others.
        """
        doublings = log2(max(average_length, 1.0) / MEDIUM_LENGTH)
        half_count = 1.2 * 2 ** (doublings / 4)
        length_share = MAX_LENGTH_SHARE + doublings / 8
        return cls(
            min(max(half_count, MIN_COUNT), MAX_COUNT),
            min(max(length_share, MIN_LENGTH_SHARE), MAX_LENGTH_SHARE),
        )


def score_counts(
    texts: CountedTexts, searched: SearchedPatterns, statistics: TextStatistics
) -> dict[int, Sequence[float]]:
    """Return the score of each text for each searched string."""
    average_length = max(statistics.average_length, 1.0)
    half_count, share = Saturation.from_average_length(average_length)
    fixed_share = 1 - share
    halves = [
        half_count * (fixed_share + share * length / average_length) for length in texts.lengths
    ]
    counts = _add_forms(texts.counts, searched.places) if searched.places else texts.counts
    # a count of `half` has half of the score of its string
    columns = [
        [rarity * n / (n + half) if n else 0.0 for n, half in zip(column, halves, strict=True)]
        for column, rarity in zip(counts, compute_rarities(statistics), strict=True)
    ]
    return dict(zip(texts.docs, zip(*columns, strict=True), strict=bool(columns)))


def _add_forms(
    counts: Sequence[Sequence[int]], places: Iterable[Iterable[int]]
) -> list[Sequence[int]]:
    """Return the number of occurrences of each string, in all its forms."""
    return [[*map(sum, zip(*(counts[place] for place in each), strict=True))] for each in places]


def compute_rarities(statistics: TextStatistics) -> list[float]:
    """Return the highest score of each searched string."""
    return [
        compute_rarity(statistics.text_count, frequency)
        * _get_form_weight(each, statistics.frequencies)
        for each, frequency in statistics.frequencies.items()
    ]


def _get_form_weight(searched: str, every: Iterable[str]) -> float:
    """Return the weight of a searched string among all of a query."""
    if FORM_SEPARATOR in searched:
        return FORM_WEIGHT
    has_forms = any(each.startswith(f"{searched}{FORM_SEPARATOR}") for each in every)
    return 1 - FORM_WEIGHT if has_forms else 1.0


def compute_rarity(text_count: int, frequency: int) -> float:
    """Return the inverse document frequency as Lucene computes it: never below 0."""
    others = max(text_count - frequency, 0)
    return log(1 + (others + 0.5) / (frequency + 0.5))
