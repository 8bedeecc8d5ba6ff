"""Deciding without doing: what a verb wants written, as a value."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Source(NamedTuple):
    """A file as it was read: its path below the root, and its text."""

    path: str
    text: str


class Write(NamedTuple):
    """Put `text` at `path`, provided it still reads `replacing` (None: not there)."""

    path: str
    text: str
    replacing: str | None = None


class Append(NamedTuple):
    """Add whole lines to the log at `path`."""

    path: str
    lines: tuple[str, ...]


class Plan(NamedTuple):
    """One commit: its message, the files that it writes and the lines that it adds.

    `notes` are spool notes that it makes good, forgotten once the rest is on disk.
    `adopted` are files that stand already and come into the commit as they are, `uncommitted`
    paths that stay out of it: the user's own unfinished work; `left_out` files that should
    be written and are not, for the same reason: another run comes back to them.
    """

    summary: str
    writes: tuple[Write, ...] = ()
    appends: tuple[Append, ...] = ()
    notes: tuple[str, ...] = ()
    adopted: tuple[str, ...] = ()
    uncommitted: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()

    @property
    def paths(self) -> tuple[str, ...]:
        """What belongs into the commit."""
        every = (*(w.path for w in self.writes), *(a.path for a in self.appends), *self.adopted)
        return tuple(path for path in dict.fromkeys(every) if path not in self.uncommitted)


class Counts(NamedTuple):
    """How many atoms stand in which section, and how many files could not be read."""

    active: int
    superseded: int
    invalidated: int
    unreadable: int


class IndexPlan(NamedTuple):
    """One index: its path, what it counts, and the write that it needs, if any.

    `shown` are the refs and the last ref of each file in it, known where it was rendered;
    `by_hand` tells that a person's own text stands where it is to be written.
    """

    path: str
    counts: Counts
    write: Write | None
    shown: Mapping[str, tuple[int, str]] = MappingProxyType({})
    by_hand: bool = False
