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
from cortexfs.core.stores.engram_document import format_engram
from cortexfs.core.stores.export_document import (
    ExportDocument,
    ExportedFile,
    format_export,
    select_log_lines,
)
from cortexfs.errors import Refused
from cortexfs.operations.shared.memory_files import (
    iter_memory_files,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.stores.json_fields import Json
    from cortexfs.core.stores.known_memories import KnownMemory
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class ExportFormat(StrEnum):
    """The format of an export."""

    CORTEXFS = "cortexfs"
    """Everything: `import` makes an equal tree of it."""
    ENGRAM = "engram"
    """What engram and Cortex in Go import."""


class Export(NamedTuple):
    """An exported document, and the number of atoms in it."""

    document: dict[str, Json]
    atom_count: int


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
        found = {
            kind.name: [each for each in iter_memory_files(view, kind) if each.project in wanted]
            for kind in view.kinds
            if kind.name in MEMORY_KINDS
        }
        now = view.clock().strftime("%Y-%m-%dT%H:%M:%SZ")
        count = sum(map(len, found.values()))
        if form is ExportFormat.ENGRAM:
            return Export(_to_engram(view, found, now), count)
        files = tuple(ExportedFile(f.path, f.text) for each in found.values() for f in each)
        logs = {name: lines for name in sorted(names) if (lines := _read_log(view, name, files))}
        return Export(format_export(ExportDocument(files, logs), now), count)


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


def write_export(path: str, text: str, *, overwrite: bool) -> None:
    """Write an export to a file outside of the tree, readable by the user alone.

    Raises `Refused` if the file exists and `overwrite` is not set, or cannot be written.
    """
    from cortexfs.clients import settings_files  # noqa: PLC0415 - an export to stdout writes no file

    try:
        if not overwrite and settings_files.read_settings_file(path) is not None:
            raise Refused(f"{path} exists", hint="add --force to overwrite it")
        settings_files.write_file(path, text)
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}") from None
