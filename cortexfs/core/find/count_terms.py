"""Count searched terms in weighted texts, term by term: see `core.find.score_texts`."""

from __future__ import annotations

from itertools import accumulate, repeat
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

MAX_COMPARISONS = 20_000_000
"""Maximum number of characters that are compared, all terms together: about 20 ms."""
FORM_SEPARATOR = "\n"
"""What separates the forms of a term in one searched string."""


class WeightedText(NamedTuple):
    """The terms of a text, some of them repeated, and the number of terms without repetition."""

    text: str
    length: int


class SearchedPatterns(NamedTuple):
    """What is counted in weighted texts for some searched strings."""

    patterns: Sequence[str]
    holders: Sequence[Collection[int] | None]
    """All texts that may have each pattern, if known."""
    places: Sequence[Sequence[int]]
    """The places of the patterns of each string; none if each has a single one of its own."""

    @classmethod
    def from_strings(
        cls, searched: Iterable[str], holders: Mapping[str, Collection[int]]
    ) -> SearchedPatterns:
        """Return the patterns of some strings, each once."""
        every = [list(map(_format_pattern, each.split(FORM_SEPARATOR))) for each in searched]
        numbers: dict[str, int] = {}
        places = [[numbers.setdefault(one, len(numbers)) for one in each] for each in every]
        known = {_format_pattern(each): docs for each, docs in holders.items()}
        is_plain = places == [[at] for at in range(len(numbers))]
        return cls(list(numbers), list(map(known.get, numbers)), [] if is_plain else places)


class TermCounts(NamedTuple):
    """The numbers of terms and of characters of texts, and how often they have patterns.

    A text that cannot have a pattern has no count of it.
    """

    sizes: dict[int, tuple[int, int]]
    columns: dict[str, dict[int, int]]


class CountedTexts(NamedTuple):
    """Some texts: the number of terms of each, and by pattern how often each has it."""

    docs: Sequence[int]
    lengths: Sequence[int]
    counts: Sequence[Sequence[int]]


def is_prefix_query(text: str) -> bool:
    """Return whether a text is searched as a prefix, as `migrat*` is.

    A single letter of a script without spaces is the prefix of the pairs that begin with it.
    """
    return text.endswith("*") or (len(text) == 1 and not text.isascii())


def find_uncounted(
    known: TermCounts, docs: Sequence[int], searched: SearchedPatterns
) -> Sequence[int]:
    """Return the texts that may have a pattern of which the count is not known, in order."""
    every = {*docs}
    missing = every.difference(known.sizes)  # `-` with its keys would go through all of them
    for pattern, holders in zip(searched.patterns, searched.holders, strict=True):
        if len(missing) == len(every):
            return docs
        may_have = every if holders is None else every.intersection(holders)
        missing |= may_have.difference(known.columns.get(pattern, {}))
    return [doc for doc in docs if doc in missing] if missing else []


def count_terms(
    known: TermCounts, texts: Iterable[tuple[int, WeightedText]], searched: SearchedPatterns
) -> None:
    """Count the patterns in some texts; in the last ones not, if there is too much to compare."""
    wanted = [
        (pattern, known.columns.setdefault(pattern, {}), holders)
        for pattern, holders in zip(searched.patterns, searched.holders, strict=True)
    ]
    sizes, compared = known.sizes, 0
    for doc, (text, length) in texts:
        sizes[doc] = length, len(text)
        for pattern, column, holders in wanted:
            if holders is None or doc in holders:
                column[doc] = text.count(pattern)
        compared += len(text) * len(wanted)
        if compared > MAX_COMPARISONS:
            return


def select_counts(
    known: TermCounts, docs: Sequence[int], searched: SearchedPatterns
) -> CountedTexts:
    """Return the counts of those of some texts that were counted, and are not too much."""
    counted = [doc for doc in docs if doc in known.sizes]
    lengths, chars = [*zip(*map(known.sizes.__getitem__, counted), strict=True)] or ((), ())
    most = MAX_COMPARISONS / max(len(searched.patterns), 1)
    if sum(chars) > most:
        before = accumulate(chars, initial=0)
        counted = [doc for doc, size in zip(counted, before, strict=False) if size <= most]
    columns = [known.columns.get(pattern, {}) for pattern in searched.patterns]
    counts = [[*map(column.get, counted, repeat(0))] for column in columns]
    return CountedTexts(counted, [*lengths[: len(counted)]], counts)


def _format_pattern(searched: str) -> str:
    """Return how a searched string looks in a weighted text.

    Of equal terms next to each other, every other one counts: they share a blank.
    """
    return f" {searched.rstrip('*')}" if is_prefix_query(searched) else f" {searched} "
