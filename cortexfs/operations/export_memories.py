"""Export the memories, sessions and prompts of a tree as one JSON document."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import MEMORY_KINDS, OBSERVATION_KIND, PROMPT_KIND, SESSION_KIND
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.tree_paths import AtomPath, access_log_path, is_access_log_name
from cortexfs.core.frontmatter.atom_text import split_front_and_body
from cortexfs.core.memory.memory_record import (
    parse_memory_record,
    parse_prompt_record,
    parse_session_record,
)
from cortexfs.core.memory.memory_text import format_time
from cortexfs.core.stores.engram_document import format_engram
from cortexfs.core.stores.export_document import (
    ExportDocument,
    ExportedFile,
    format_export,
    select_log_lines,
)
from cortexfs.operations.shared.memory_files import iter_memory_files, list_unreadable_files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.stores.json_fields import Json
    from cortexfs.core.stores.known_memories import KnownMemory
    from cortexfs.core.stores.stored_values import BrokenEntry
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class ExportFormat(StrEnum):
    """The format of an export."""

    CORTEXFS = "cortexfs"
    """Everything: `import` makes an equal tree of it."""
    ENGRAM = "engram"
    """What engram and Cortex in Go import."""


class Export(NamedTuple):
    """An exported document, the number of atoms in it, and the files that cannot be read."""

    document: dict[str, Json]
    atom_count: int
    unreadable: tuple[BrokenEntry, ...]


def export_memories(
    session: Session,
    projects: Sequence[str] | None = None,
    form: ExportFormat = ExportFormat.CORTEXFS,
    *,
    include_personal: bool = False,
) -> Export:
    """Return the memories of some projects, or of all; personal ones only if they are included."""
    with session.read(drain=True) as view:
        names = view.tree.list_projects() if projects is None else projects
        wanted = {*names, ""} if include_personal else set(names)
        kinds = [kind for kind in view.kinds if kind.name in MEMORY_KINDS]
        found = {
            kind.name: [each for each in iter_memory_files(view, kind) if each.project in wanted]
            for kind in kinds
        }
        unreadable = tuple(
            entry for kind in kinds for entry in list_unreadable_files(view, kind, wanted)
        )
        document = _make_document(view, found, sorted(names), form)
    return Export(document, sum(map(len, found.values())), unreadable)


def _make_document(
    view: View, found: dict[str, list[KnownMemory]], projects: Sequence[str], form: ExportFormat
) -> dict[str, Json]:
    """Return the files of each kind as a document."""
    now = format_time(view.clock())
    if form is ExportFormat.ENGRAM:
        return _to_engram(view, found, now)
    files = tuple(ExportedFile(f.path, f.text) for each in found.values() for f in each)
    logs = {name: lines for name in projects if (lines := _read_log(view, name, files))}
    return format_export(ExportDocument(files, logs), now)


def _to_engram(view: View, found: dict[str, list[KnownMemory]], now: str) -> dict[str, Json]:
    def parse(name: str) -> list[tuple[Atom, str]]:
        kind = view.kinds.find_by_name(name)
        return [_parse(file, kind) for file in found.get(name, ()) if kind]

    return format_engram(
        [parse_memory_record(*each) for each in parse(OBSERVATION_KIND)],
        [parse_session_record(*each) for each in parse(SESSION_KIND)],
        [parse_prompt_record(*each) for each in parse(PROMPT_KIND)],
        now,
    )


def _parse(file: KnownMemory, kind: Kind) -> tuple[Atom, str]:
    folder, _, name = file.path.rpartition("/")
    place = AtomPath(file.project, folder, kind, name)
    return parse_atom(file.path, place, file.text), split_front_and_body(file.text)[1]


def _read_log(view: View, project: str, files: Sequence[ExportedFile]) -> tuple[str, ...]:
    """Return the lines of a project's access logs that are about the exported files."""
    prefix = f"projects/{project}/"
    names = {file.path.rpartition("/")[2] for file in files if file.path.startswith(prefix)}
    folder = access_log_path(project).rpartition("/")[0]
    logs = (
        view.tree.read_text_lossy(f"{folder}/{name}") or ""
        for name in sorted(view.tree.list_names(folder))
        if is_access_log_name(name)
    )
    return tuple(line for log in logs for line in select_log_lines(log.split("\n"), names))
