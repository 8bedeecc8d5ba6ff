"""Lists of words, as they are written in modules of language."""

from __future__ import annotations


def parse_words(text: str) -> frozenset[str]:
    """Return the words of a text, which stand apart by spaces and line ends."""
    return frozenset(text.split())
