"""Find an entry of a numbered list by its number or by words of its title."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from cortexfs.core.markdown.sections import normalize_title
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
        raise Refused(f"there is no {noun} number {number_or_words}", hint=_among(every, titles))
    fitting = find_matching_titles(number_or_words, titles)
    fitting = [at for at in fitting if at in prefer] or fitting
    if len(fitting) == 1:
        return entries[fitting[0]]
    if fitting:
        raise Refused(
            f"`{number_or_words}` fits {len(fitting)} of them", hint=_among(fitting, titles)
        )
    raise Refused(f"no {noun} says `{number_or_words}`", hint=_among(every, titles))


def find_matching_titles(wanted: str, titles: Sequence[str]) -> list[int]:
    """Return the positions, from 0, of titles that equal the words, or else contain them all."""
    words, said = normalize_title(wanted), [normalize_title(title) for title in titles]
    if not words:
        return []
    exact = [at for at, title in enumerate(said) if title == words]
    return exact or [at for at, title in enumerate(said) if _has_words(f" {title}", words.split())]


def _has_words(title: str, words: Sequence[str]) -> bool:
    """Return whether each word is the beginning of a word in the title."""
    return all(f" {word}" in title for word in words)


def _among(places: Sequence[int], titles: Sequence[str]) -> str:
    """List candidates by number and title."""
    if not places:
        return "there is none yet"
    named = ", ".join(f"{at + 1} `{to_one_line(titles[at])}`" for at in places[:MAX_CANDIDATES])
    more = len(places) - MAX_CANDIDATES
    return f"there are {named}{f' and {more} more' if more > 0 else ''}"
