"""Names within identifiers: options of programs, versions, and hexadecimal numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_OPTION_CHARS = 64
"""Maximum length of an option that is a name."""
_OPTION = re.compile(r"[^\w-]*(--?[A-Za-z]\w*(?:[-.:]\w+)*)", re.ASCII)
_VERSION = re.compile(
    r"(?<![\w.])(?:v(?=([0-9]+)))?"
    r"((?:([0-9]+\.[0-9]+)(?:\.[0-9]+)+|[0-9]+\.[0-9]+)"
    r"(?:-?(?:a|alpha|b|beta|dev|pre|rc)[.-]?[0-9]*)?)(?![\w.])"
)
_HEXADECIMAL = re.compile(r"0x([0-9a-f]{4,})")


def find_option(word: str) -> str:
    """Return the option that a word begins with, folded: `-xzf`, `--flag`; empty if none."""
    found = _OPTION.match(word)
    return found[1].lower() if found and len(found[1]) <= MAX_OPTION_CHARS else ""


def list_numbers(identifier: str) -> Iterator[str]:
    """Yield the versions in a folded identifier, without `v`; and what follows `0x`.

    Of `v18.17.1` also `18.17`, and `18`, which is no word of it.
    """
    for major, version, beginning in _VERSION.findall(identifier):
        yield from filter(None, (version, beginning, major))
    if found := _HEXADECIMAL.fullmatch(identifier):
        yield found[1]
