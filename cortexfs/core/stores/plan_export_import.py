"""Plan the files of our own export: each keeps its path and id, unless its number is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import MEMORY_KINDS, OBSERVATION_KIND, PROMPT_KIND, SESSION_KIND
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.refs import to_full_ref
from cortexfs.core.atoms.tree_paths import is_personal_path, is_project_name, parse_atom_path
from cortexfs.core.changes.plan import Write
from cortexfs.core.checks.finding_codes import is_error
from cortexfs.core.checks.secrets import find_secrets
from cortexfs.core.frontmatter.atom_text import parse_frontmatter, split_front_and_body
from cortexfs.core.memory.memory_record import (
    parse_count,
    parse_memory_record,
    parse_prompt_record,
    parse_session_record,
)
from cortexfs.core.stores.plan_memories import ImportedEntry, ImportResult
from cortexfs.core.stores.stored_values import (
    BrokenEntry,
    StoreContents,
    StoredMemory,
    StoredPrompt,
    StoredRelation,
    StoredSession,
    StoreFormat,
)
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom, FrontmatterValue
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.atoms.tree_paths import AtomPath
    from cortexfs.core.stores.export_document import ExportedFile
    from cortexfs.core.stores.known_memories import KnownMemory

MAX_ATOM_BYTES = 16 * 1024 * 1024
"""Maximum size of an atom in bytes."""


class PlannedExport(NamedTuple):
    """What becomes of each file, and what needs another number because its own is taken."""

    entries: tuple[ImportedEntry, ...]
    moved: StoreContents


def plan_export_import(
    files: Sequence[ExportedFile], known: Iterable[KnownMemory], kinds: Kinds
) -> PlannedExport:
    """Return what becomes of each file; only memories, sessions and prompts can be imported."""
    by_path = {each.path: each for each in known}
    taken = {path.rpartition("/")[2]: path for path in by_path}
    planned = _Planned([], [], [])
    for file in files:
        parsed = _parse_file(file, kinds)
        if isinstance(parsed, BrokenEntry):
            planned.broken.append(parsed)
        elif old := by_path.get(file.path):
            _plan_present(file, parsed, old, planned)
        elif taken.setdefault(file.path.rpartition("/")[2], file.path) != file.path:
            planned.moved.append(parsed)
        else:
            result, write = ImportResult.IMPORTED, Write(file.path, file.text)
            planned.entries.append(_make_entry(parsed, result, write))
    moved = _to_contents(planned.moved)._replace(broken=tuple(planned.broken))
    return PlannedExport(tuple(planned.entries), moved)


class _ParsedFile(NamedTuple):
    """An atom of the export, and its body."""

    atom: Atom
    body: str


class _Planned(NamedTuple):
    """The results so far."""

    entries: list[ImportedEntry]
    moved: list[_ParsedFile]
    broken: list[BrokenEntry]


def _plan_present(
    file: ExportedFile, parsed: _ParsedFile, old: KnownMemory, planned: _Planned
) -> None:
    """Add the result for a file whose path the tree has: the same memory, or another one."""
    if file.text == old.text:
        planned.entries.append(_make_entry(parsed, ImportResult.UNCHANGED))
        return
    now = parse_frontmatter(old.text).fields
    new = parsed.atom.fields
    if any(now.get(key) != new.get(key) for key in ("created", "date", "session")):
        planned.moved.append(parsed)
        return
    ours, theirs = (_read_revision(fields) for fields in (now, new))
    if theirs > ours:
        write = Write(file.path, file.text, old.text)
        planned.entries.append(_make_entry(parsed, ImportResult.UPDATED, write))
    else:
        result = ImportResult.CONFLICT if theirs == ours else ImportResult.UNCHANGED
        planned.entries.append(_make_entry(parsed, result))


def _read_revision(fields: Mapping[str, FrontmatterValue]) -> int:
    typed = fields.get("revision", "")
    return max(parse_count(typed), 1) if isinstance(typed, str) else 1


def _make_entry(
    parsed: _ParsedFile, result: ImportResult, write: Write | None = None
) -> ImportedEntry:
    atom = parsed.atom
    summary = to_one_line(atom.text_field("summary"))
    return ImportedEntry(_make_origin(atom), str(atom.ref), atom.path, summary, result, write)


def _parse_file(file: ExportedFile, kinds: Kinds) -> _ParsedFile | BrokenEntry:
    """Return the atom of a file, or why it cannot be imported."""
    place = _parse_path(file.path, kinds)
    if place is None:
        return BrokenEntry(to_one_line(file.path), "it is not the path of a memory")
    if len(file.text.encode()) > MAX_ATOM_BYTES:
        return BrokenEntry(file.path, "it has over 16 MiB")
    atom = parse_atom(file.path, place, file.text)
    flaws = [flaw for flaw in atom.flaws if is_error(flaw.code)]
    if flaws:
        return BrokenEntry(file.path, f"{flaws[0].code}: {flaws[0].message}")
    if secrets := find_secrets(file.text):
        return BrokenEntry(file.path, f"it contains {secrets[0].message}")
    return _ParsedFile(atom, split_front_and_body(file.text)[1])


def _parse_path(path: str, kinds: Kinds) -> AtomPath | None:
    """Return the place of a memory: `projects/<project>/<folder>/<id>.md`, or in `user/`."""
    place = parse_atom_path(path, kinds)
    if place is None or place.kind.name not in MEMORY_KINDS or place.claimed_id is None:
        return None
    return place if is_project_name(place.project) or is_personal_path(path) else None


def _make_origin(atom: Atom) -> str:
    return f"{StoreFormat.CORTEXFS}:{atom.ref}"


def _to_contents(moved: Sequence[_ParsedFile]) -> StoreContents:
    """Return atoms that need another number as the contents of a store."""
    by_kind: dict[str, list[_ParsedFile]] = {}
    for each in moved:
        by_kind.setdefault(each.atom.kind, []).append(each)
    return StoreContents(
        StoreFormat.CORTEXFS,
        tuple(_to_stored_memory(each) for each in by_kind.get(OBSERVATION_KIND, ())),
        tuple(_to_stored_session(each) for each in by_kind.get(SESSION_KIND, ())),
        tuple(_to_stored_prompt(each) for each in by_kind.get(PROMPT_KIND, ())),
    )


def _to_stored_memory(parsed: _ParsedFile) -> StoredMemory:
    record = parse_memory_record(*parsed)
    relations = (
        StoredRelation(
            each.type,
            f"{StoreFormat.CORTEXFS}:{to_full_ref(each.ref, parsed.atom.project)}",
            each.weight,
        )
        for each in record.relations
    )
    return StoredMemory(
        origin=_make_origin(parsed.atom),
        title=record.title,
        content=record.content,
        type=record.type,
        project=record.project,
        scope=record.scope,
        topic_key=record.topic_key,
        session_id=record.session_id,
        tool=record.tool,
        tags=record.tags,
        created=record.created,
        last_seen=record.last_seen,
        deleted_at=record.deleted_at,
        revision=record.revision,
        duplicates=record.duplicates,
        relations=tuple(relations),
        has_local_id=True,
    )


def _to_stored_session(parsed: _ParsedFile) -> StoredSession:
    record = parse_session_record(*parsed)
    return StoredSession(
        record.id, record.project, record.directory, record.started, record.ended, record.summary
    )


def _to_stored_prompt(parsed: _ParsedFile) -> StoredPrompt:
    record = parse_prompt_record(*parsed)
    return StoredPrompt(record.content, record.session_id, record.project, record.created)
