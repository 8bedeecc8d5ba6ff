"""Words for numbers, as a person would say them."""

from __future__ import annotations

import re

_UNCOUNTABLE = frozenset(
    ("advice", "data", "evidence", "feedback", "information", "knowledge", "news", "research")
)
"""Nouns without a plural; a kind of atoms may be called so."""
_ENDINGS = (
    (re.compile(r"(?<=[^aeiou])y$"), "ies"),
    (re.compile(r"is$"), "es"),
    (re.compile(r"(?<=[sxz])$|(?<=[cs]h)$"), "es"),
)
"""How a noun ends, and what its plural ends in instead; any other takes an `s`."""


def format_count(number: int, noun: str) -> str:
    """Say how many there are of what: `1 note`, `2 indexes`, `11 knowledge atoms`."""
    if noun in _UNCOUNTABLE:
        noun = f"{noun} atom"
    return f"{number} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Give the plural of a countable noun: `entities`, `analyses`, `searches`."""
    for ending, of_many in _ENDINGS:
        if ending.search(noun):
            return ending.sub(of_many, noun, count=1)
    return f"{noun}s"
