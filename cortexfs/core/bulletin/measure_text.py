"""The length of a bulletin: words, tokens of a tokenizer, or an estimate of tokens."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

_BYTES_PER_TOKEN = 4
"""Bytes of a token of English prose; refs and dates have more tokens, hence the words below."""
_MIN_TOKENS_PER_WORD = 1.4


class BudgetUnit(StrEnum):
    """The unit in which a budget is counted."""

    WORDS = "words"
    TOKENS = "tokens"
    ESTIMATED_TOKENS = "estimated tokens"


class Budget(NamedTuple):
    """The maximum length of a bulletin, and the function that measures a text in its unit."""

    limit: int
    unit: BudgetUnit
    measure: Callable[[str], int]


def count_words(text: str) -> int:
    """Return the number of words, as separated by white space."""
    return len(text.split())


def estimate_tokens(text: str) -> int:
    """Return an estimate of the tokens of a text, rather too high than too low."""
    by_bytes = -(-len(text.encode(errors="replace")) // _BYTES_PER_TOKEN)
    return max(by_bytes, int(count_words(text) * _MIN_TOKENS_PER_WORD))


def make_word_budget(words: int) -> Budget:
    """Return a budget in words."""
    return Budget(words, BudgetUnit.WORDS, count_words)


def make_token_budget(tokens: int, counter: Callable[[str], int] | None) -> Budget:
    """Return a budget in tokens: counted by a tokenizer, or estimated where there is none."""
    if counter is None:
        return Budget(tokens, BudgetUnit.ESTIMATED_TOKENS, estimate_tokens)
    return Budget(tokens, BudgetUnit.TOKENS, counter)
