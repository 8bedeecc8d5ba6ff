"""The width of a text in terminal cells, and cutting and padding to a width."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import category, east_asian_width

ELLIPSIS = "…"
_ZERO_WIDTH_JOINER = "\u200d"
_EMOJI_SELECTOR = "\ufe0f"
"""After a narrow character: displays it as an emoji, two cells wide."""
_HANGUL_VOWELS = range(0x1160, 0x1200)
"""Hangul vowels and final consonants: they join the syllable before them."""


def display_width(text: str) -> int:
    """Return the width in cells of a text without control characters."""
    if text.isascii():
        return len(text)
    return sum(_character_widths(text))


def truncate_to_width(text: str, width: int) -> str:
    """Return the text, cut and ended with `…` if it is wider than `width` cells."""
    if display_width(text) <= width:
        return text
    used = 0
    for at, wide in enumerate(_character_widths(text)):
        used += wide
        if used > width - 1:
            return text[:at].rstrip(f" {ELLIPSIS}") + ELLIPSIS[: max(width, 0)]
    return text


def pad_to_width(text: str, width: int, *, align_right: bool = False) -> str:
    """Return the text padded to `width` cells with blanks.

    They are after it, or before it with `align_right`.
    """
    blanks = " " * (width - display_width(text))
    return blanks + text if align_right else text + blanks


def _character_widths(text: str) -> list[int]:
    """Return the width of each character; one that joins the previous character has 0."""
    widths: list[int] = []
    before = ""
    for char in text:
        if before == _ZERO_WIDTH_JOINER:
            widths.append(0)
        elif char == _EMOJI_SELECTOR and widths and widths[-1] == 1:
            widths.append(1)
        else:
            widths.append(_character_width(char))
        before = char
    return widths


@lru_cache(maxsize=8192)
def _character_width(char: str) -> int:
    if ord(char) in _HANGUL_VOWELS or category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if east_asian_width(char) in {"W", "F"} else 1
