"""Scripts that put no spaces between words, and ranges of letters."""

from __future__ import annotations

from functools import cache

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese, Khmer, kana, Han and Hangul: scripts without reliable spaces."""


def is_unspaced_script(text: str) -> bool:
    """Return whether a text begins in a script without spaces between words."""
    return not text.isascii() and _is_unspaced_letter(text[0])


def is_in_ranges(letter: str, ranges: str) -> bool:
    """Return whether a letter is in ranges such as `a-f0-9`.

    A pattern of a large script takes milliseconds to compile.
    """
    pairs = zip(ranges[::3], ranges[2::3], strict=True)
    return any(first <= letter <= last for first, last in pairs)


@cache
def _is_unspaced_letter(letter: str) -> bool:
    return is_in_ranges(letter, UNSPACED)
