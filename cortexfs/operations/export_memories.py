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
    ExportedFile,
    format_export,
    select_log_lines,
)
from cortexfs.operations.shared.memory_files import (
    iter_memory_files,
    list_memory_paths,
    survey_memory_files,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kind import Kind
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
    """An exported document, the number of atoms in it, and the files that cannot be read.

    Its lists are iterators, which read each file when its turn comes.
    """

    document: dict[str, object]
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
        names = sorted(view.tree.list_projects() if projects is None else projects)
        wanted = frozenset((*names, "") if include_personal else names)
        kinds = [kind for kind in view.kinds if kind.name in MEMORY_KINDS]
        readable, unreadable = survey_memory_files(view, kinds, wanted)
        now = format_time(view.clock())
        if form is ExportFormat.ENGRAM:
            return Export(_to_engram(view, wanted, now), readable, unreadable)
        skipped = {entry.place for entry in unreadable}
        logs = {name: lines for name in names if (lines := _read_log(view, name, kinds, skipped))}
    files = (
        ExportedFile(file.path, file.text) for kind in kinds for file in _iter(view, kind, wanted)
    )
    return Export(format_export(files, logs, now), readable, unreadable)


def _iter(view: View, kind: Kind, projects: Collection[str]) -> Iterator[KnownMemory]:
    return (each for each in iter_memory_files(view, kind) if each.project in projects)


def _to_engram(view: View, projects: Collection[str], now: str) -> dict[str, object]:
    def parse(name: str) -> Iterator[tuple[Atom, str]]:
        kind = view.kinds.find_by_name(name)
        return (_parse(file, kind) for file in _iter(view, kind, projects)) if kind else iter(())

    return format_engram(
        (parse_memory_record(*each) for each in parse(OBSERVATION_KIND)),
        (parse_session_record(*each) for each in parse(SESSION_KIND)),
        (parse_prompt_record(*each) for each in parse(PROMPT_KIND)),
        now,
    )


def _parse(file: KnownMemory, kind: Kind) -> tuple[Atom, str]:
    folder, _, name = file.path.rpartition("/")
    place = AtomPath(file.project, folder, kind, name)
    return parse_atom(file.path, place, file.text), split_front_and_body(file.text)[1]


def _read_log(
    view: View, project: str, kinds: Sequence[Kind], skipped: Collection[str]
) -> tuple[str, ...]:
    """Return the lines of a project's access logs that are about the exported files."""
    paths = (path for kind in kinds for path in list_memory_paths(view, kind, project))
    names = {path.rpartition("/")[2] for path in paths if path not in skipped}
    folder = access_log_path(project).rpartition("/")[0]
    logs = (
        view.tree.read_text_lossy(f"{folder}/{name}") or ""
        for name in sorted(view.tree.list_names(folder))
        if is_access_log_name(name)
    )
    return tuple(line for log in logs for line in select_log_lines(log.split("\n"), names))
