"""Counts and plurals in English."""

from __future__ import annotations

import re

_UNCOUNTABLE = frozenset(
    ("advice", "data", "evidence", "feedback", "information", "knowledge", "news", "research")
)
"""Nouns without a plural; a kind of atoms may have such a name."""
_ENDINGS = (
    (re.compile(r"(?<=[^aeiou])y$"), "ies"),
    (re.compile(r"is$"), "es"),
    (re.compile(r"(?<=[sxz])$|(?<=[cs]h)$"), "es"),
)
"""Endings of nouns and their plurals; any other noun gets an `s`."""


def format_count(number: int, noun: str) -> str:
    """Return a count with its noun: `1 note`, `2 indexes`, `11 knowledge atoms`."""
    if noun in _UNCOUNTABLE:
        noun = f"{noun} atom"
    return f"{number} {noun if number == 1 else to_plural(noun)}"


def to_plural(noun: str) -> str:
    """Return the plural of a countable noun: `entities`, `analyses`, `searches`."""
    for ending, plural in _ENDINGS:
        if ending.search(noun):
            return ending.sub(plural, noun, count=1)
    return f"{noun}s"
