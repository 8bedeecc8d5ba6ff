"""Find an entry of a numbered list by its number or by words of its title."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from cortexfs.core.markdown.sections import normalize_title
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    _T = TypeVar("_T")

MAX_CANDIDATES = 5
"""Maximum number of candidates in a message."""


def match_entry(
    noun: str,
    number_or_words: str,
    entries: Sequence[_T],
    titles: Sequence[str],
    prefer: Container[int] = (),
) -> _T:
    """Return the one entry that matches; raises `Refused` if none or several do.

    Numbers count from 1. Words match a title that contains all of them. An equal title is preferred
    over one that only contains the words, and positions in `prefer` over all others.
    """
    number_or_words = to_one_line(number_or_words)
    every = range(len(titles))
    if number_or_words.isdecimal() and number_or_words.isascii():
        if 0 < int(number_or_words[:9]) <= len(entries):
            return entries[int(number_or_words) - 1]
        hint = _format_candidates(noun, every, titles)
        raise Refused(f"there is no {noun} number {number_or_words}", hint=hint)
    matches = find_matching_titles(number_or_words, titles)
    matches = [at for at in matches if at in prefer] or matches
    if len(matches) == 1:
        return entries[matches[0]]
    hint = _format_candidates(noun, matches or every, titles)
    if matches:
        raise Refused(f"`{number_or_words}` matches {format_count(len(matches), noun)}", hint=hint)
    raise Refused(f"no {noun} matches `{number_or_words}`", hint=hint)


def find_matching_titles(wanted: str, titles: Sequence[str]) -> list[int]:
    """Return the positions, from 0, of titles that equal the words, or else contain them all."""
    words, normalized = normalize_title(wanted), [normalize_title(title) for title in titles]
    if not words:
        return []
    exact = [at for at, title in enumerate(normalized) if title == words]
    return exact or [
        at for at, title in enumerate(normalized) if _has_words(f" {title}", words.split())
    ]


def _has_words(title: str, words: Sequence[str]) -> bool:
    """Return whether each word is the beginning of a word in the title."""
    return all(f" {word}" in title for word in words)


def _format_candidates(noun: str, positions: Sequence[int], titles: Sequence[str]) -> str:
    """Return a hint with the candidates by number and title."""
    if not positions:
        return f"there is no {noun} yet"
    shown = ", ".join(f"{at + 1} `{to_one_line(titles[at])}`" for at in positions[:MAX_CANDIDATES])
    more = len(positions) - MAX_CANDIDATES
    return f"choose from {shown}{f' and {more} more' if more > 0 else ''}"
