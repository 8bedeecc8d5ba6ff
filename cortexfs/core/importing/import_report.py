"""What became of each note of a folder, as values."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Write
    from cortexfs.core.importing.note_files import SkippedNote
    from cortexfs.core.importing.rewrite_links import UnresolvedLink


class ImportResult(StrEnum):
    """What became of a note that is, or was before, imported."""

    IMPORTED = "imported"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    CONFLICT = "changed-on-both-sides"


class ImportedNote(NamedTuple):
    """One note with its atom; `write` is what puts it there (None: it stays as it is)."""

    path: str
    ref: str
    atom_path: str
    kind: str
    summary: str
    result: ImportResult
    write: Write | None = None


class StatusMapping(NamedTuple):
    """A status of notes, the one that their atoms got (empty: none of ours), and of how many."""

    original: str
    status: str
    note_count: int


class ImportReport(NamedTuple):
    """What became of a folder of notes.

    `warnings` are about notes that were imported all the same, `unresolved` links that stay as
    they are.
    """

    source: str
    project: str
    notes: tuple[ImportedNote, ...] = ()
    skipped: tuple[SkippedNote, ...] = ()
    warnings: tuple[SkippedNote, ...] = ()
    unresolved: tuple[UnresolvedLink, ...] = ()
    statuses: tuple[StatusMapping, ...] = ()
    link_count: int = 0
    attachment_count: int = 0

    def count_notes(self, result: ImportResult) -> int:
        """Count the notes of one result."""
        return sum(note.result is result for note in self.notes)

    @property
    def writes(self) -> tuple[Write, ...]:
        """What puts the atoms in place."""
        return tuple(note.write for note in self.notes if note.write)
