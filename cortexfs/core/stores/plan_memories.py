"""Plan the atoms of a store: each memory is new, changed, known, or edited on both sides."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import kind_folder, personal_folder
from cortexfs.core.changes.plan import Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.memory.memory_record import ORIGIN_KEY, parse_count
from cortexfs.core.memory.memory_text import change_memory_text, format_memory_text
from cortexfs.core.memory.relations import Relation, format_relation
from cortexfs.core.stores.known_memories import KnownMemories, KnownMemory, choose_folder_project
from cortexfs.core.stores.memory_fields import (
    make_memory_fields,
    make_memory_summary,
)
from cortexfs.core.stores.memory_origin import (
    MemoryOrigin,
    compute_text_digest,
    parse_origin,
)
from cortexfs.errors import CortexError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.stores.memory_fields import Fields
    from cortexfs.core.stores.stored_values import StoredMemory

MAX_RELATIONS = 200
"""Maximum relations of a new memory; the frontmatter of an atom has a limit."""


class ImportResult(StrEnum):
    """What became of an entry."""

    IMPORTED = "imported"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    DUPLICATE = "duplicate"
    """Another memory of the project has the same title and text."""
    CONFLICT = "changed-on-both-sides"
    """Source and memory have changed since the import; the memory stays."""


class ImportedEntry(NamedTuple):
    """An entry, its atom, and the write that it needs, if any."""

    source: str
    ref: str
    path: str
    summary: str
    result: ImportResult
    write: Write | None = None


class NextNumber(NamedTuple):
    """What new memories need: their kind, the next number, and the day of the import."""

    kind: Kind
    next_number: int
    today: str

    def advance(self) -> NextNumber:
        """Return the same with the number after the next one."""
        return self._replace(next_number=self.next_number + 1)

    def make_ident(self) -> str:
        """Return the next id."""
        return self.kind.format_id(self.next_number)


class _Placed(NamedTuple):
    """A memory, its source, its atom, and the result as far as it is known."""

    memory: StoredMemory
    source: str
    atom: KnownMemory
    result: ImportResult


def plan_memories(
    memories: Sequence[StoredMemory], known: Iterable[KnownMemory], new: NextNumber
) -> list[ImportedEntry]:
    """Return what becomes of each memory; projects and texts must have been normalized.

    Of memories with the same source the first counts; the others are duplicates.
    """
    index, placed, seen = KnownMemories(known), list[_Placed](), set[str]()
    for memory in memories:
        source = index.choose_source(memory)
        is_repeated = source in seen
        seen.add(source)
        if old := index.by_source.get(source):
            result = ImportResult.DUPLICATE if is_repeated else _compare(memory, old)
            placed.append(_Placed(memory, source, old, result))
        elif twin := index.find_twin(memory):
            placed.append(_Placed(memory, source, twin, ImportResult.DUPLICATE))
        else:
            atom = _make_atom(memory, new)
            new = new.advance()
            index.add(atom, source, memory)
            placed.append(_Placed(memory, source, atom, ImportResult.IMPORTED))
    return [_plan_entry(each, index.by_source, new.today) for each in placed]


def _make_atom(memory: StoredMemory, new: NextNumber) -> KnownMemory:
    """Return the ref and path of a new memory."""
    ident, project = new.make_ident(), choose_folder_project(memory)
    folder = kind_folder(project, new.kind) if project else personal_folder(new.kind)
    return KnownMemory(f"{project}/{ident}" if project else ident, f"{folder}/{ident}.md", project)


def _compare(memory: StoredMemory, old: KnownMemory) -> ImportResult:
    """Return whether a memory has changed in its source since the import, or here, or in both."""
    now = atom_text.parse_frontmatter(old.text)
    imported = parse_origin(str(now.fields.get(ORIGIN_KEY, ""))).digest
    current = compute_text_digest(str(now.fields.get("summary", "")), now.body)
    digest = compute_text_digest(make_memory_summary(memory), memory.content)
    is_deleted_here = "deleted-at" in now.fields
    is_newly_deleted = bool(memory.deleted_at) and not is_deleted_here
    if is_deleted_here or (digest in {imported, current} and not is_newly_deleted):
        return ImportResult.UNCHANGED
    is_edited = bool(imported) and imported != current
    return ImportResult.CONFLICT if is_edited else ImportResult.UPDATED


def _plan_entry(placed: _Placed, atoms: Mapping[str, KnownMemory], today: str) -> ImportedEntry:
    memory, source, atom, result = placed
    title = make_memory_summary(memory)
    entry = ImportedEntry(source, atom.ref, atom.path, title, result)
    if result not in {ImportResult.IMPORTED, ImportResult.UPDATED}:
        return entry
    origin = MemoryOrigin(source, compute_text_digest(title, memory.content))
    fields = make_memory_fields(memory, _format_relations(memory, atom, atoms), str(origin))
    if atom.text:
        return _plan_update(entry, memory, atom, fields)
    ident = atom.ref.rpartition("/")[2]
    day = memory.created[:10] or today
    head = {"id": ident, "date": day, "project": memory.project}
    text = format_memory_text({**head, **fields}, memory.content)
    return entry._replace(write=Write(atom.path, text))


def _plan_update(
    entry: ImportedEntry, memory: StoredMemory, atom: KnownMemory, fields: Fields
) -> ImportedEntry:
    """Return an entry with the changed atom; an atom that cannot be edited safely stays."""
    try:
        text = change_memory_text(atom.text, _choose_changes(fields, atom.text), memory.content)
    except CortexError:
        return entry._replace(result=ImportResult.CONFLICT)
    return entry._replace(write=Write(atom.path, text, atom.text))


def _choose_changes(fields: Fields, text: str) -> Fields:
    """Return the changed fields of an update: what the source does not know stays as it is."""
    old = parse_count(str(atom_text.parse_frontmatter(text).fields.get("revision", "1")))
    revision = max(int(str(fields["revision"])), old + 1)
    changes = {key: value for key, value in fields.items() if value and key != "tags"}
    return {**changes, "revision": str(revision)}


def _format_relations(
    memory: StoredMemory, atom: KnownMemory, atoms: Mapping[str, KnownMemory]
) -> list[str]:
    """Return the relations to memories that exist: `supersedes OBS-101`, `… flywheel/OBS-9 0.5`."""
    found = []
    for relation in memory.relations:
        if other := atoms.get(relation.target):
            is_near = other.project == atom.project
            ref = other.ref.rpartition("/")[2] if is_near else other.ref
            found.append(format_relation(Relation(relation.type, ref, relation.weight)))
    return list(dict.fromkeys(found))[:MAX_RELATIONS]
