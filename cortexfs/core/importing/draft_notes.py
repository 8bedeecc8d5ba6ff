"""Choose for each note of a folder which atom it becomes, and which notes are skipped."""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.parse_atom import MAX_SUMMARY_CHARS
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.checks.secrets import find_secrets
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.importing.choose_kind import choose_kind
from cortexfs.core.importing.foreign_note import is_empty_note, parse_note
from cortexfs.core.importing.imported_hash import compute_text_checksum
from cortexfs.core.importing.note_folder import REMOVED_CODE, SkippedNote
from cortexfs.core.importing.rewrite_links import (
    ImportTarget,
)
from cortexfs.core.indexes.atom_with_reads import IMPORTED_KEY
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.importing.foreign_note import ForeignNote
    from cortexfs.core.importing.note_folder import NoteFolder

    Progress = Callable[[int, int], None]


class ImportedAtom(NamedTuple):
    """An atom of the tree that was imported before."""

    target: ImportTarget
    kind: Kind
    text: str


class ImportRequest(NamedTuple):
    """The target project and kind of an import (None: chosen per note), and the existing atoms.

    `imported_atoms` maps an origin to its atom, `existing_refs` are the refs of all atoms, and
    `next_number` returns the number of a kind's next id. `removed_notes` maps the origin of an atom
    that was removed to the checksum of its note; `today` is the day of the import.
    """

    project: str
    kinds: Kinds
    imported_atoms: Mapping[str, ImportedAtom]
    next_number: Callable[[Kind], int]
    existing_refs: frozenset[str] = frozenset()
    today: str = ""
    removed_notes: Mapping[str, str] = MappingProxyType({})
    kind: Kind | None = None
    progress: Progress | None = None


class NoteDraft(NamedTuple):
    """A note that becomes an atom, its kind, the place of the atom, and the day of its import.

    `successor` is the ref of the atom that superseded it, `predecessors` those that it superseded.
    """

    note: ForeignNote
    kind: Kind
    target: ImportTarget
    imported: ImportedAtom | None
    imported_day: str = ""
    successor: str = ""
    predecessors: tuple[str, ...] = ()


def parse_notes(
    folder: NoteFolder, request: ImportRequest
) -> tuple[list[ForeignNote], list[SkippedNote]]:
    """Return the parsed notes of a folder, and those skipped as empty or because of a secret."""
    notes, skipped = [], []
    for file in folder.files:
        known = request.imported_atoms.get(f"{folder.name}/{file.path}")
        day = str(atom_text.parse_frontmatter(known.text).fields.get("date", "")) if known else ""
        note = parse_note(
            file._replace(modified_day=day or file.modified_day), compute_text_checksum(file.text)
        )
        if found := find_secrets(f"{file.text}\n{file.path}"):
            message = f"{found[0].message}; git would keep it forever"
            skipped.append(SkippedNote(file.path, "secret", message, found[0].line))
        elif is_empty_note(note):
            skipped.append(SkippedNote(file.path, "empty", "the note is empty"))
        else:
            notes.append(note)
    notes = [*_tell_apart(notes)]
    return sorted(notes, key=lambda note: (note.day, note.path)), skipped


def _tell_apart(notes: Sequence[ForeignNote]) -> Iterator[ForeignNote]:
    """Yield the notes; the folder is added to a summary that several notes would have."""
    counts = Counter(note.summary for note in notes)
    for note in notes:
        folder = to_one_line(note.path.rpartition("/")[0])
        summary = f"{note.summary} ({folder})"
        is_clear = counts[note.summary] == 1 or "summary" in note.values or not folder
        fits = len(summary) <= MAX_SUMMARY_CHARS
        yield note if is_clear or not fits else note._replace(summary=summary)


def draft_notes(
    notes: Sequence[ForeignNote], source: str, request: ImportRequest
) -> tuple[list[NoteDraft], list[SkippedNote]]:
    """Choose the kind, id and place of each note.

    Notes without a required field, and those whose atom was removed, are skipped.
    """
    drafts, skipped = list[NoteDraft](), []
    numbers: dict[str, int] = {}
    for note in notes:
        if known := request.imported_atoms.get(f"{source}/{note.path}"):
            day = str(atom_text.parse_frontmatter(known.text).fields.get(IMPORTED_KEY, ""))
            drafts.append(NoteDraft(note, known.kind, known.target, known, day))
            continue
        if request.removed_notes.get(f"{source}/{note.path}") == note.checksum:
            message = "its atom was removed here, and the note has not changed since"
            skipped.append(SkippedNote(note.path, REMOVED_CODE, message))
            continue
        kind, missing = choose_kind(note.values, note.path, request.kinds, request.kind)
        if missing:
            message = f"a {kind.name} needs the field `{missing}`"
            skipped.append(SkippedNote(note.path, "missing-field", message))
            continue
        number = numbers.get(kind.name) or request.next_number(kind)
        numbers[kind.name] = number + 1
        target = _choose_target(kind, number, note, request.project)
        drafts.append(NoteDraft(note, kind, target, None, request.today))
    return drafts, skipped


def _choose_target(kind: Kind, number: int, note: ForeignNote, project: str) -> ImportTarget:
    ident = kind.format_id(number)
    within = project if "project" in kind.scopes else ""
    name = kind.make_file_name(ident, note.title, in_project=bool(within))
    return ImportTarget(ident, within, f"{kind_folder(within, kind)}/{name}")
