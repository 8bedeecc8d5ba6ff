"""The result of an import for each note of a folder, as values."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Write
    from cortexfs.core.importing.note_folder import SkippedNote
    from cortexfs.core.importing.rewrite_links import UnresolvedLink


class NoteOutcome(StrEnum):
    """The result for a note that is imported now or was before."""

    IMPORTED = "imported"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    CONFLICT = "changed-on-both-sides"


class ImportedNote(NamedTuple):
    """One note with its atom; `write` is the write of the atom (None: it is unchanged)."""

    path: str
    ref: str
    atom_path: str
    kind: str
    summary: str
    result: NoteOutcome
    write: Write | None = None


class StatusMapping(NamedTuple):
    """A status of notes, the status of their atoms (empty: none known), and the number of notes."""

    original: str
    status: str
    note_count: int


class ImportReport(NamedTuple):
    """The result of importing a folder of notes.

    `warnings` are about notes that were imported nevertheless, `unresolved` are links that are left
    unchanged.
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

    def count_notes(self, result: NoteOutcome) -> int:
        """Return the number of notes with a result."""
        return sum(note.result is result for note in self.notes)

    @property
    def writes(self) -> tuple[Write, ...]:
        """The writes of all imported and updated atoms."""
        return tuple(note.write for note in self.notes if note.write)
