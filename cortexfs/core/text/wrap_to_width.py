"""Break a line of text into lines of at most so many terminal cells."""

from __future__ import annotations

import re

from cortexfs.core.text.display_width import display_width

_PIECES = re.compile(r"\s+|\S+")


def wrap_to_width(text: str, width: int) -> list[str]:
    """Return the lines of a text, broken at blanks, and within a word that is too wide.

    Every character is kept, but for blanks at which a line is broken. An empty text is one line.
    """
    width = max(width, 1)
    if display_width(text) <= width:
        return [text]
    lines, current, used = list[str](), "", 0
    for piece in _PIECES.findall(text):
        wide = display_width(piece)
        if used + wide <= width:
            current, used = current + piece, used + wide
        elif piece.isspace():
            lines.append(current)
            current, used = "", 0
        else:
            if current.strip():
                lines.append(current.rstrip())
            *full, current = _break_word(piece, width)
            lines += full
            used = display_width(current)
    return [*lines, current] if current else lines


def _break_word(word: str, width: int) -> list[str]:
    """Return the parts of a word, each as wide as allowed; a wider character stands alone."""
    if word.isascii():
        return [word[at : at + width] for at in range(0, len(word), width)]
    parts, current, used = list[str](), "", 0
    for char in word:
        wide = display_width(char)
        if current and used + wide > width:
            parts.append(current)
            current, used = "", 0
        current, used = current + char, used + wide
    return [*parts, current]
