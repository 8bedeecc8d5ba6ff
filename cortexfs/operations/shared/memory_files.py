"""The files of memories, sessions and prompts, personal ones included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import kind_folder, personal_folder
from cortexfs.core.memory.memory_record import MAX_NUMBER, number_from_id
from cortexfs.core.stores.known_memories import KnownMemory
from cortexfs.core.stores.plan_memories import NextNumber
from cortexfs.core.stores.stored_values import BrokenEntry

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.session.view import TreeFilesAndGit, View


def iter_memory_files(view: TreeFilesAndGit, kind: Kind) -> Iterator[KnownMemory]:
    """Yield the atoms of a kind in order of project and id; unreadable files are left out."""
    for project, ident, path in _iter_paths(view, kind):
        file = view.tree.read_text_or_flaw(path)
        if not isinstance(file, Flaw):
            yield KnownMemory(f"{project}/{ident}" if project else ident, path, project, file.text)


def list_unreadable_files(
    view: TreeFilesAndGit, kind: Kind, projects: Collection[str]
) -> list[BrokenEntry]:
    """Return the files of a kind that cannot be read, with the reason; project "": personal."""
    return [
        BrokenEntry(path, file.message)
        for project, _, path in _iter_paths(view, kind)
        if project in projects and isinstance(file := view.tree.read_text_or_flaw(path), Flaw)
    ]


def _iter_paths(view: TreeFilesAndGit, kind: Kind) -> Iterator[tuple[str, str, str]]:
    """Yield project, id and path of each file of a kind."""
    for project, folder in _list_folders(view, kind):
        for name in sorted(view.tree.list_names(folder)):
            ident = kind.parse_file_id(name.removesuffix(".md"))
            if ident is not None and name.endswith(".md"):
                yield project, ident, f"{folder}/{name}"


def find_next_number(view: View, kind: Kind, planned_paths: Sequence[str] = ()) -> NextNumber:
    """Return the next number of a kind in the whole tree, after planned files too; and the day."""
    names = (path.rpartition("/")[2].removesuffix(".md") for path in planned_paths)
    planned = kind.next_id(name for name in names if 0 < number_from_id(name) < MAX_NUMBER)
    number = max(view.memories.next_number(kind.name), int(planned.rpartition("-")[2]))
    return NextNumber(kind, number, view.clock().date().isoformat())


def _list_folders(view: TreeFilesAndGit, kind: Kind) -> list[tuple[str, str]]:
    """Return each folder with atoms of a kind, and its project (empty: personal)."""
    projects = [(name, kind_folder(name, kind)) for name in view.tree.list_projects()]
    return [*projects, ("", personal_folder(kind))]
