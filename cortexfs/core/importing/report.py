"""What became of each note of a folder, as values."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Write
    from cortexfs.core.importing.links import Unresolved
    from cortexfs.core.importing.source import Skipped


class Result(StrEnum):
    """What became of a note that is, or was before, imported."""

    IMPORTED = "imported"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    CONFLICT = "changed-on-both-sides"


class ImportedNote(NamedTuple):
    """One note with its atom; `write` is what puts it there (None: it stays as it is)."""

    path: str
    ref: str
    atom: str
    kind: str
    summary: str
    result: Result
    write: Write | None = None


class StatusMapping(NamedTuple):
    """A status of notes, the one that their atoms got (empty: none of ours), and of how many."""

    said: str
    status: str
    notes: int


class Report(NamedTuple):
    """What became of a folder of notes.

    `warnings` are about notes that were imported all the same, `unresolved` links that stay as
    they are.
    """

    source: str
    project: str
    notes: tuple[ImportedNote, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    warnings: tuple[Skipped, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
    statuses: tuple[StatusMapping, ...] = ()
    links: int = 0
    attachments: int = 0

    def number(self, result: Result) -> int:
        """Count the notes of one result."""
        return sum(note.result is result for note in self.notes)

    @property
    def writes(self) -> tuple[Write, ...]:
        """What puts the atoms in place."""
        return tuple(note.write for note in self.notes if note.write)
