"""Counts and plurals in English."""

from __future__ import annotations

_UNCOUNTABLE = frozenset(
    ("advice", "data", "evidence", "feedback", "information", "knowledge", "news", "research")
)
"""Nouns without a plural; a kind of atoms may have such a name."""


def format_count(number: int, noun: str) -> str:
    """Return a count with its noun: `1 note`, `2 indexes`, `11 knowledge atoms`."""
    if noun in _UNCOUNTABLE:
        noun = f"{noun} atom"
    return f"{number} {noun if number == 1 else to_plural(noun)}"


def to_plural(noun: str) -> str:
    """Return the plural of a countable noun: `entities`, `analyses`, `searches`."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    if noun.endswith("is"):
        return f"{noun[:-2]}es"
    return f"{noun}es" if noun.endswith(("s", "x", "z", "ch", "sh")) else f"{noun}s"
