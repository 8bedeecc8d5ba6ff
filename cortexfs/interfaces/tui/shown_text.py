"""Untrusted text as cells and lines, without any character that could harm a terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.text.sanitize import INVISIBLE_PATTERN, strip_unprintable, to_one_line
from cortexfs.interfaces.tui.shown_content import Cell, Line, Tone

if TYPE_CHECKING:
    from collections.abc import Iterable

_INVISIBLE = re.compile(INVISIBLE_PATTERN)
TAB = "    "


def clean_line(text: str) -> str:
    """Return untrusted text on one line, without any character that nobody sees.

    The joiners of emoji go too: terminals disagree on how wide a joined emoji is.
    """
    line = to_one_line(text)
    return line if line.isascii() else _INVISIBLE.sub("", line)


def clean_lines(text: str) -> list[str]:
    """Return the lines of an untrusted text, each without characters that nobody sees."""
    shown = strip_unprintable(text.replace("\r\n", "\n").replace("\r", "\n"))
    lines = shown.replace("\t", TAB).split("\n")
    return lines if shown.isascii() else [_INVISIBLE.sub("", line) for line in lines]


def cell(text: object, tone: Tone = Tone.PLAIN) -> Cell:
    """Return untrusted text as a cell."""
    return Cell(clean_line(str(text)), tone)


def line(*texts: object) -> Line:
    """Return untrusted texts, or cells, as a line."""
    return tuple(each if isinstance(each, Cell) else cell(each) for each in texts)


def labelled(name: str, value: object, tone: Tone = Tone.PLAIN) -> Line:
    """Return a line with a name in a column of its own, and a value."""
    return (Cell(f"{name:<12}", Tone.MUTED), cell(value, tone))


def heading(text: str) -> Line:
    """Return a line that begins a part."""
    return (cell(text, Tone.STRONG),)


def labelled_lines(*pairs: tuple[str, object]) -> tuple[Line, ...]:
    """Return a line for each value that is not empty."""
    return tuple(labelled(name, value) for name, value in pairs if value or value == 0)


def join_parts(parts: Iterable[object]) -> str:
    """Return the parts that are not empty, with a dot between them."""
    return " · ".join(str(part) for part in parts if part)


def make_note(text: object, *about: object) -> tuple[Line, Line]:
    """Return what is said below a table about its row: a text, and facts about the row."""
    return line(text), line(cell(join_parts(about), Tone.MUTED))
