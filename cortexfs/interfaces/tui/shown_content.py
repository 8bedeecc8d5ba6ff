"""What a page shows: rows of a table, or lines of text. All text in it is sanitized."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


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
