"""What a page shows: rows of a table, or lines of text. All text in it is sanitized."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.text.sanitize import INVISIBLE_PATTERN, strip_unprintable, to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

_INVISIBLE = re.compile(INVISIBLE_PATTERN)
TAB = "    "


class Tone(StrEnum):
    """What a piece of text is, which decides its colour."""

    PLAIN = "plain"
    MUTED = "muted"
    ACCENT = "accent"
    STRONG = "strong"
    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"


class Cell(NamedTuple):
    """A piece of text on one line."""

    text: str
    tone: Tone = Tone.PLAIN


Line = tuple[Cell, ...]
"""A line; if it is too wide, its last cell continues below itself."""


class Subject(StrEnum):
    """What a row is about, which decides the changes that are offered for it."""

    NONE = "none"
    ATOM = "atom"
    MEMORY = "memory"
    DECISION = "decision"
    TASK = "task"
    CLIENT = "client"
    FINDING = "finding"
    MERGE = "merge"


class Target(NamedTuple):
    """A page, and what it is about: the ref of an atom, the id of a session or task."""

    page: str
    argument: str = ""


class Column(NamedTuple):
    """A column: its width in cells, or 0 for all that is left.

    It is left out on terminals that are narrower than `min_screen`, or wider than `max_screen`.
    """

    title: str
    width: int
    min_screen: int = 0
    is_right: bool = False
    max_screen: int = 0


class Row(NamedTuple):
    """A row: its cells, what it is about, where Enter leads, and what is shown below the table."""

    cells: tuple[Cell, ...]
    key: str = ""
    subject: Subject = Subject.NONE
    target: Target | None = None
    note: tuple[Line, ...] = ()


class TableContent(NamedTuple):
    """The first rows of a table of `total` rows, and lines above it.

    `empty` says how a table without rows is filled. `start` is the row to begin at.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    total: int
    empty: str = ""
    head: tuple[Line, ...] = ()
    start: int = 0
    about: str = ""
    """What the table is about, for the line above it."""


class TextContent(NamedTuple):
    """Lines of text about one thing."""

    lines: tuple[Line, ...]
    key: str = ""
    subject: Subject = Subject.NONE
    about: str = ""


Content = TableContent | TextContent


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
