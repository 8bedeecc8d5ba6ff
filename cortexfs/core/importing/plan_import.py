"""Plan what each note of a folder becomes: ids, texts, and which notes are skipped."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw, Ref
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.changes.plan import Write
from cortexfs.core.checks.secrets import find_secrets
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.importing.atom_fields import (
    CHECKSUM_KEY,
    MappedStatus,
    build_atom_fields,
    compute_atom_checksum,
    compute_fields_checksum,
    compute_text_checksum,
    map_note_status,
    render_merged_frontmatter,
    render_own_frontmatter,
)
from cortexfs.core.importing.choose_kind import choose_kind
from cortexfs.core.importing.foreign_note import is_empty_note, parse_note
from cortexfs.core.importing.import_report import (
    ImportedNote,
    ImportReport,
    ImportResult,
    StatusMapping,
)
from cortexfs.core.importing.loose_notes import ORIGIN_KEY
from cortexfs.core.importing.note_folder import SkippedNote
from cortexfs.core.importing.note_frontmatter import keep_frontmatter_as_text
from cortexfs.core.importing.note_lookup import NoteLookup
from cortexfs.core.importing.rewrite_links import (
    ImportTarget,
    LinkContext,
    UnresolvedLink,
    extract_wiki_names,
    make_line_locator,
    rewrite_links,
)
from cortexfs.core.importing.unknown_refs import find_unknown_refs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.kinds import Kind, Kinds
    from cortexfs.core.importing.atom_fields import RenderedFrontmatter
    from cortexfs.core.importing.foreign_note import ForeignNote
    from cortexfs.core.importing.note_folder import NoteFolder

    Progress = Callable[[int, int], None]

MAX_ATOM_BYTES = 16 * 1024 * 1024
"""Maximum size of an atom in bytes; a larger one would not be read again."""
_PROGRESS_STEP = 256


class ImportedAtom(NamedTuple):
    """An atom of the tree that was imported before."""

    target: ImportTarget
    kind: Kind
    text: str


class ImportRequest(NamedTuple):
    """The target project and kind of an import (None: chosen per note), and the existing atoms.

    `imported` maps an origin to its atom, `existing_refs` are the refs of all atoms, and
    `next_number` returns
    the number of a kind's next id.
    """

    project: str
    kinds: Kinds
    imported_atoms: Mapping[str, ImportedAtom]
    next_number: Callable[[Kind], int]
    existing_refs: frozenset[str] = frozenset()
    kind: Kind | None = None
    progress: Progress | None = None


class NoteDraft(NamedTuple):
    """A note that becomes an atom, its kind, and the place of the atom."""

    note: ForeignNote
    kind: Kind
    target: ImportTarget
    imported: ImportedAtom | None


class ImportedAtomResult(NamedTuple):
    """A note with its atom, and what to report about it."""

    note: ImportedNote
    status: MappedStatus
    links: int
    unresolved: tuple[UnresolvedLink, ...]
    warnings: tuple[SkippedNote, ...]


def plan_import(folder: NoteFolder, request: ImportRequest) -> ImportReport:
    """Plan the atoms of a folder's notes; ids are ordered by the date of a note, then its path."""
    notes, skipped = parse_notes(folder, request)
    drafts, lacking = draft_notes(notes, folder.name, request)
    targets = NoteLookup.from_notes(draft.note for draft in drafts)
    atoms = {draft.note.path: draft.target for draft in drafts}
    made, left = [], [*folder.skipped, *skipped, *lacking]
    for number, draft in enumerate(drafts):
        one = make_atom(draft, f"{folder.name}/{draft.note.path}", targets, atoms)
        left.append(one) if isinstance(one, SkippedNote) else made.append(one)
        if request.progress and (number % _PROGRESS_STEP == 0 or number + 1 == len(drafts)):
            request.progress(number + 1, len(drafts))
    return ImportReport(
        folder.name,
        request.project,
        tuple(each.note for each in made),
        tuple(sorted(left)),
        (
            *(each for one in made for each in one.warnings),
            *find_unknown_refs((each.note for each in made), request.existing_refs, request.kinds),
        ),
        tuple(each for one in made for each in one.unresolved),
        _count_statuses(made),
        sum(each.links for each in made),
        folder.attachment_count,
    )


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
            message = f"{found[0].message}; git would keep it for ever"
            skipped.append(SkippedNote(file.path, "secret", message, found[0].line))
        elif is_empty_note(note):
            skipped.append(SkippedNote(file.path, "empty", "the note is empty"))
        else:
            notes.append(note)
    return sorted(notes, key=lambda note: (note.day, note.path)), skipped


def draft_notes(
    notes: Sequence[ForeignNote], source: str, request: ImportRequest
) -> tuple[list[NoteDraft], list[SkippedNote]]:
    """Choose the kind, id and place of each note; notes without a required field are skipped."""
    drafts, lacking = list[NoteDraft](), []
    numbers: dict[str, int] = {}
    for note in notes:
        if known := request.imported_atoms.get(f"{source}/{note.path}"):
            drafts.append(NoteDraft(note, known.kind, known.target, known))
            continue
        kind, missing = choose_kind(note.values, note.path, request.kinds, request.kind)
        if missing:
            message = f"a {kind.name} needs the field `{missing}`"
            lacking.append(SkippedNote(note.path, "missing-field", message))
            continue
        number = numbers.get(kind.name) or request.next_number(kind)
        numbers[kind.name] = number + 1
        drafts.append(
            NoteDraft(note, kind, _choose_target(kind, number, note, request.project), None)
        )
    return drafts, lacking


def _choose_target(kind: Kind, number: int, note: ForeignNote, project: str) -> ImportTarget:
    ident = f"{kind.prefix}-{number:0{kind.digits}d}"
    within = project if "project" in kind.scopes else ""
    name = kind.make_file_name(ident, note.title, in_project=bool(within))
    return ImportTarget(ident, within, f"{kind_folder(within, kind)}/{name}")


def make_atom(
    draft: NoteDraft, origin: str, targets: NoteLookup, atoms: Mapping[str, ImportTarget]
) -> ImportedAtomResult | SkippedNote:
    """Format the atom of a note, and decide whether it is written."""
    note, target = draft.note, draft.target
    home = LinkContext(note.path, target.path, target.project)
    links = tuple(dict.fromkeys(_list_linked_refs(note, home, targets, atoms)))
    note, front, warnings = _render_frontmatter(draft, origin, links)
    body = rewrite_links(note.parts.body, home, targets, atoms)
    text = _assemble_text(front, body.body, origin, note.checksum)
    if len(text.encode(errors="replace")) > MAX_ATOM_BYTES:
        return SkippedNote(note.path, "file-too-large", "the atom would have over 16 MiB")
    line = make_line_locator(note.parts.body, note.parts.body_line)
    missing = (UnresolvedLink(note.path, line(at), said) for at, said in body.unresolved)
    result = _compare_with_imported(draft, text)
    write = Write(target.path, text, draft.imported.text if draft.imported else None)
    ref = Ref(f"{target.project}/{target.ident}" if target.project else target.ident)
    done = ImportedNote(note.path, ref, target.path, draft.kind.name, note.summary, result)
    if result in {ImportResult.IMPORTED, ImportResult.UPDATED}:
        done = done._replace(write=write)
    status = map_note_status(note, draft.kind)
    return ImportedAtomResult(done, status, body.resolved + len(links), tuple(missing), warnings)


def _render_frontmatter(
    draft: NoteDraft, origin: str, links: Sequence[str]
) -> tuple[ForeignNote, RenderedFrontmatter, tuple[SkippedNote, ...]]:
    """Format the frontmatter; one that cannot be read stays in the body as text."""
    note, flaw = draft.note, draft.note.parts.flaw
    fields = build_atom_fields(note, draft.kind, draft.target, origin, links)
    front = render_merged_frontmatter(note, draft.kind, fields)
    if front is None:
        flaw = Flaw("bad-yaml", "it cannot be rewritten without a loss", 2)
        note = note._replace(parts=keep_frontmatter_as_text(note.parts, flaw))
        fields = build_atom_fields(note, draft.kind, draft.target, origin, links)
        front = render_own_frontmatter(fields)
    if flaw is None:
        return note, front, ()
    message = f"the frontmatter stays in the text: {flaw.message}"
    return note, front, (SkippedNote(note.path, flaw.code, message, flaw.line),)


def _assemble_text(front: RenderedFrontmatter, body: str, origin: str, source: str) -> str:
    """Assemble the text of an atom, with its origin and the checksums of note and atom."""
    gap = "" if not body or body.startswith("\n") else "\n"
    end = "" if not body or body.endswith("\n") else "\n"
    body = f"{gap}{body}{end}"
    digests = f"{source}-{compute_fields_checksum({**front.fields, ORIGIN_KEY: origin}, body)}"
    added = atom_text.format_frontmatter({ORIGIN_KEY: origin, CHECKSUM_KEY: digests})
    return f"---\n{front.text}{added}---\n{body}"


def _list_linked_refs(
    note: ForeignNote, home: LinkContext, targets: NoteLookup, atoms: Mapping[str, ImportTarget]
) -> Iterator[str]:
    """Yield the refs of the notes that the frontmatter of a note links to."""
    for said in extract_wiki_names(note.parts.yaml_block):
        atom = atoms.get(targets.resolve_wiki_link(said, note.path) or "")
        if atom and atom.path != home.atom_path:
            yield atom.to_ref(home.atom_project)


def _compare_with_imported(draft: NoteDraft, text: str) -> ImportResult:
    """Return the result for a note: an atom that was edited is never overwritten."""
    if draft.imported is None:
        return ImportResult.IMPORTED
    now = atom_text.parse_frontmatter(draft.imported.text)
    source, _, atom = str(now.fields.get(CHECKSUM_KEY, "")).partition("-")
    edited = atom != compute_atom_checksum(draft.imported.text)
    if source != draft.note.checksum:
        return ImportResult.CONFLICT if edited else ImportResult.UPDATED
    same = (
        edited or now.body == atom_text.parse_frontmatter(text).body
    )  # else a link has found its note since
    return ImportResult.UNCHANGED if same else ImportResult.UPDATED


def _count_statuses(made: Sequence[ImportedAtomResult]) -> tuple[StatusMapping, ...]:
    """Count the statuses that were changed, or that match no known status."""
    counts = Counter(one.status for one in made if one.status.original)
    other = {each: n for each, n in counts.items() if each.original.lower() != each.status}
    return tuple(StatusMapping(*each, count) for each, count in sorted(other.items()))
