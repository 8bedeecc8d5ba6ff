"""Correct a word with an error of typing to the word of the grammar that it resembles."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cortexfs.core.chat.grammar_rules import EDGE_WORDS, RULES, split_words
from cortexfs.core.find.edit_distance import count_errors

if TYPE_CHECKING:
    from collections.abc import Iterator

MIN_CORRECTED_CHARS, LONG_WORD_CHARS, MAX_CORRECTED_CHARS = 4, 8, 20
"""Words from the first two lengths on may have one error, and two; none of ours is as long."""


def correct_word(word: str) -> str:
    """Return the word of the grammar that a word resembles, or the word itself."""
    known = _list_known_words()
    is_fitting = MIN_CORRECTED_CHARS <= len(word) <= MAX_CORRECTED_CHARS
    if word in known or word in split_words(EDGE_WORDS) or not is_fitting:
        return word
    limit = 2 if len(word) >= LONG_WORD_CHARS else 1
    errors = {each: _count_errors(word, each, limit) for each in known}
    nearest = min(errors, key=errors.__getitem__)  # the first of several
    return nearest if errors[nearest] <= limit else word


def _count_errors(word: str, other: str, limit: int) -> int:
    """Return the number of errors between two words; any number above a limit."""
    if abs(len(word) - len(other)) > limit or len(other) < MIN_CORRECTED_CHARS:
        return limit + 1
    errors = count_errors(word, other, limit)
    return errors[-1] if errors else limit + 1


@cache
def _list_known_words() -> dict[str, None]:
    """Return the words of the rules, in their order."""
    return dict.fromkeys(_iter_known_words())


def _iter_known_words() -> Iterator[str]:
    for rule in RULES:
        for group in rule.groups:
            yield from group.split()
