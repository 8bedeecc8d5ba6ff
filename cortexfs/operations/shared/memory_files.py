"""The files of memories, sessions and prompts, personal ones included."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import kind_folder, personal_folder
from cortexfs.core.memory.memory_record import MAX_NUMBER, number_from_id
from cortexfs.core.stores.known_memories import KnownMemory
from cortexfs.core.stores.plan_memories import NextNumber
from cortexfs.core.stores.stored_values import BrokenEntry

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from cortexfs.core.atoms.kind import Kind
    from cortexfs.session.view import TreeFilesAndGit, View


def iter_memory_files(view: TreeFilesAndGit, kind: Kind) -> Iterator[KnownMemory]:
    """Yield the atoms of a kind in order of project and id; unreadable files are left out."""
    for project, ident, path in _iter_paths(view, kind):
        file = view.tree.read_text_or_flaw(path)
        if not isinstance(file, Flaw):
            yield KnownMemory(f"{project}/{ident}" if project else ident, path, project, file.text)


class MemoryFileSurvey(NamedTuple):
    """The number of files that can be read, and the others with the reason."""

    readable: int
    unreadable: tuple[BrokenEntry, ...]


def survey_memory_files(
    view: TreeFilesAndGit, kinds: Iterable[Kind], projects: Collection[str]
) -> MemoryFileSurvey:
    """Return which files of some kinds can be read; project "": personal ones."""
    readable, unreadable = 0, list[BrokenEntry]()
    for project, _, path in chain.from_iterable(_iter_paths(view, kind) for kind in kinds):
        if project in projects:
            if isinstance(file := view.tree.read_text_or_flaw(path), Flaw):
                unreadable.append(BrokenEntry(path, file.message))
            else:
                readable += 1
    return MemoryFileSurvey(readable, tuple(unreadable))


def list_memory_paths(view: TreeFilesAndGit, kind: Kind, project: str) -> list[str]:
    """Return the paths of the files of a kind in a project."""
    return [path for _, path in _iter_folder(view, kind, kind_folder(project, kind))]


def _iter_paths(view: TreeFilesAndGit, kind: Kind) -> Iterator[tuple[str, str, str]]:
    """Yield project, id and path of each file of a kind."""
    for project, folder in _list_folders(view, kind):
        for ident, path in _iter_folder(view, kind, folder):
            yield project, ident, path


def _iter_folder(view: TreeFilesAndGit, kind: Kind, folder: str) -> Iterator[tuple[str, str]]:
    """Yield id and path of each file of a kind in a folder."""
    for name in sorted(view.tree.list_names(folder)):
        ident = kind.parse_file_id(name.removesuffix(".md"))
        if ident is not None and name.endswith(".md"):
            yield ident, f"{folder}/{name}"


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
