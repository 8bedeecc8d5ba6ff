"""Plan the atoms of a folder of notes: their texts, and what to report about each."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw, Ref
from cortexfs.core.changes.plan import Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.importing.atom_fields import (
    MappedStatus,
    build_atom_fields,
    map_note_status,
    render_merged_frontmatter,
    render_own_frontmatter,
)
from cortexfs.core.importing.draft_notes import draft_notes, parse_notes
from cortexfs.core.importing.import_report import (
    ImportedNote,
    ImportReport,
    NoteOutcome,
    StatusMapping,
)
from cortexfs.core.importing.imported_hash import (
    CHECKSUM_KEY,
    MERGED_KEYS,
    blank_refs,
    compute_atom_hash,
    has_edited_text,
    merge_tree_fields,
    parse_imported_hash,
)
from cortexfs.core.importing.loose_notes import ORIGIN_KEY
from cortexfs.core.importing.note_folder import SkippedNote
from cortexfs.core.importing.note_frontmatter import keep_frontmatter_as_text
from cortexfs.core.importing.note_lookup import NoteLookup
from cortexfs.core.importing.note_successors import SUPERSEDED, find_successors
from cortexfs.core.importing.rewrite_links import (
    ImportTarget,
    LinkContext,
    UnresolvedLink,
    extract_wiki_names,
    make_line_locator,
    rewrite_links,
)
from cortexfs.core.importing.warn_of_unknown_refs import find_unknown_refs
from cortexfs.core.indexes.atom_with_reads import IMPORTED_KEY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.importing.atom_fields import RenderedFrontmatter
    from cortexfs.core.importing.draft_notes import ImportRequest, NoteDraft
    from cortexfs.core.importing.foreign_note import ForeignNote
    from cortexfs.core.importing.note_folder import NoteFolder

MAX_ATOM_BYTES = 16 * 1024 * 1024
"""Maximum size of an atom in bytes; a larger one would not be read again."""
_PROGRESS_STEP = 256


class _NoteResult(NamedTuple):
    """A note with its atom, and what to report about it."""

    note: ImportedNote
    status: MappedStatus
    link_count: int
    unresolved: tuple[UnresolvedLink, ...]
    warnings: tuple[SkippedNote, ...]


def plan_import(folder: NoteFolder, request: ImportRequest) -> ImportReport:
    """Plan the atoms of a folder's notes; ids are ordered by the date of a note, then its path."""
    notes, skipped = parse_notes(folder, request)
    drafts, incomplete = draft_notes(notes, folder.name, request)
    targets = NoteLookup.from_notes(draft.note for draft in drafts)
    atoms = {draft.note.path: draft.target for draft in drafts}
    drafts = _add_successors(drafts, find_successors(drafts, targets), atoms)
    results, all_skipped = [], [*folder.skipped, *skipped, *incomplete]
    for number, draft in enumerate(drafts, start=1):
        result = _make_atom(draft, f"{folder.name}/{draft.note.path}", targets, atoms)
        if isinstance(result, SkippedNote):
            all_skipped.append(result)
        else:
            results.append(result)
        if request.progress and (number % _PROGRESS_STEP == 1 or number == len(drafts)):
            request.progress(number, len(drafts))
    imported = tuple(result.note for result in results)
    unknown = find_unknown_refs(imported, request.existing_refs, request.kinds)
    return ImportReport(
        folder.name,
        request.project,
        imported,
        tuple(sorted(all_skipped)),
        (*(each for result in results for each in result.warnings), *unknown),
        tuple(each for result in results for each in result.unresolved),
        _count_statuses(results),
        sum(result.link_count for result in results),
        folder.attachment_count,
    )


def _add_successors(
    drafts: Sequence[NoteDraft],
    successors: Mapping[str, str],
    atoms: Mapping[str, ImportTarget],
) -> list[NoteDraft]:
    """Return the drafts with the refs of their successors and predecessors."""
    predecessors = defaultdict[str, list[str]](list)
    for old, new in successors.items():
        predecessors[new].append(old)
    return [
        draft._replace(
            successor=atoms[new].to_ref(draft.target.project) if new else "",
            predecessors=tuple(
                atoms[old].to_ref(draft.target.project)
                for old in predecessors.get(draft.note.path, ())
            ),
        )
        for draft in drafts
        for new in (successors.get(draft.note.path, ""),)
    ]


def _make_atom(
    draft: NoteDraft, origin: str, targets: NoteLookup, atoms: Mapping[str, ImportTarget]
) -> _NoteResult | SkippedNote:
    """Format the atom of a note, and decide whether it is written."""
    note, target = draft.note, draft.target
    home = LinkContext(note.path, target.path, target.project)
    linked = (*_list_linked_refs(note, home, targets, atoms), *draft.predecessors)
    links = tuple(dict.fromkeys(linked))
    note, front, warnings = _render_frontmatter(draft, origin, links)
    body = rewrite_links(note.parts.body, home, targets, atoms)
    text = _assemble_text(front, body.body, origin, note.checksum)
    if len(text.encode(errors="replace")) > MAX_ATOM_BYTES:
        return SkippedNote(note.path, "file-too-large", "the atom would have over 16 MiB")
    locate_line = make_line_locator(note.parts.body, note.parts.body_line)
    unresolved = tuple(
        UnresolvedLink(note.path, locate_line(at), name) for at, name in body.unresolved
    )
    result = _compare_with_imported(draft, text)
    write = None
    if result in {NoteOutcome.IMPORTED, NoteOutcome.UPDATED}:
        write = Write(target.path, text, draft.imported.text if draft.imported else None)
    ref = Ref(f"{target.project}/{target.ident}" if target.project else target.ident)
    kind = draft.kind
    imported = ImportedNote(note.path, ref, target.path, kind.name, note.summary, result, write)
    status = map_note_status(note, kind)
    return _NoteResult(imported, status, body.resolved + len(links), unresolved, warnings)


class _Frontmatter(NamedTuple):
    """The frontmatter of an atom, and what `imported-hash` remembers of `MERGED_KEYS`.

    `imported_day` is the day of the first import (empty: unknown).
    """

    rendered: RenderedFrontmatter
    remembered: Mapping[str, FrontmatterValue]
    imported_day: str


def _render_frontmatter(
    draft: NoteDraft, origin: str, links: Sequence[str]
) -> tuple[ForeignNote, _Frontmatter, tuple[SkippedNote, ...]]:
    """Format the frontmatter; one that cannot be read stays in the body as text."""
    note, flaw = draft.note, draft.note.parts.flaw
    fields, remembered = _build_fields(draft, origin, links)
    front = render_merged_frontmatter(note, draft.kind, fields)
    if front is None:
        flaw = Flaw("bad-yaml", "it cannot be rewritten without loss", 2)
        note = note._replace(parts=keep_frontmatter_as_text(note.parts, flaw))
        fields, remembered = _build_fields(draft._replace(note=note), origin, links)
        front = render_own_frontmatter(fields)
    whole = _Frontmatter(front, remembered, draft.imported_day)
    if flaw is None:
        return note, whole, ()
    message = f"the frontmatter stays in the text: {flaw.message}"
    return note, whole, (SkippedNote(note.path, flaw.code, message, flaw.line),)


def _build_fields(
    draft: NoteDraft, origin: str, links: Sequence[str]
) -> tuple[dict[str, str | Sequence[str]], dict[str, FrontmatterValue]]:
    """Return the fields of an atom, and those that the note alone would give."""
    fields = build_atom_fields(draft.note, draft.kind, draft.target, origin, links)
    if draft.successor:
        fields["status"] = f"{SUPERSEDED}:{draft.successor}"
    own = {key: atom_text.to_field_value(fields[key]) for key in MERGED_KEYS if key in fields}
    return merge_tree_fields(fields, draft.imported.text) if draft.imported else fields, own


def _assemble_text(front: _Frontmatter, body: str, origin: str, source: str) -> str:
    """Assemble the text of an atom, with its origin and the checksums of note and atom."""
    gap = "" if not body or body.startswith("\n") else "\n"
    end = "" if not body or body.endswith("\n") else "\n"
    body = f"{gap}{body}{end}"
    fields = {key: v for key, v in front.rendered.fields.items() if key not in MERGED_KEYS}
    digests = compute_atom_hash(source, {**fields, **front.remembered, ORIGIN_KEY: origin}, body)
    about = {ORIGIN_KEY: origin, IMPORTED_KEY: front.imported_day, CHECKSUM_KEY: str(digests)}
    added = atom_text.format_frontmatter({key: value for key, value in about.items() if value})
    return f"---\n{front.rendered.text}{added}---\n{body}"


def _list_linked_refs(
    note: ForeignNote, home: LinkContext, targets: NoteLookup, atoms: Mapping[str, ImportTarget]
) -> Iterator[str]:
    """Yield the refs of the notes that the frontmatter of a note links to."""
    for name in extract_wiki_names(note.parts.yaml_block):
        atom = atoms.get(targets.resolve_wiki_link(name, note.path) or "")
        if atom and atom.path != home.atom_path:
            yield atom.to_ref(home.atom_project)


def _compare_with_imported(draft: NoteDraft, text: str) -> NoteOutcome:
    """Return the result for a note: an atom that was edited is never overwritten."""
    if draft.imported is None:
        return NoteOutcome.IMPORTED
    now = atom_text.parse_frontmatter(draft.imported.text)
    remembered = parse_imported_hash(now.fields.get(CHECKSUM_KEY))
    edited = has_edited_text(remembered, draft.imported.text)
    if remembered.note != draft.note.checksum:
        return NoteOutcome.CONFLICT if edited else NoteOutcome.UPDATED
    # the body also changes when a link resolves to a note that was imported since
    new_body = atom_text.parse_frontmatter(text).body
    is_same = edited or blank_refs(now.body) == blank_refs(new_body)
    return NoteOutcome.UNCHANGED if is_same else NoteOutcome.UPDATED


def _count_statuses(results: Sequence[_NoteResult]) -> tuple[StatusMapping, ...]:
    """Count the statuses that were changed, or that match no known status."""
    counts = Counter(result.status for result in results if result.status.original)
    changed = {each: n for each, n in counts.items() if each.original.lower() != each.status}
    return tuple(StatusMapping(*each, count) for each, count in sorted(changed.items()))
