"""The files of memories, sessions and prompts, personal ones included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.stores.known_memories import KnownMemory
from cortexfs.core.stores.plan_memories import PERSONAL_FOLDER, NewMemories

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.session.view import TreeFilesAndGit

MEMORY_KIND, SESSION_KIND, PROMPT_KIND = "observation", "session", "prompt"
MEMORY_KINDS = (MEMORY_KIND, SESSION_KIND, PROMPT_KIND)


def iter_memory_files(view: TreeFilesAndGit, kind: Kind) -> Iterator[KnownMemory]:
    """Yield the atoms of a kind in order of project and id; unreadable files are left out."""
    for project, folder in _list_folders(view, kind):
        for name in sorted(view.tree.list_names(folder)):
            ident = kind.parse_file_id(name.removesuffix(".md"))
            if ident is None or not name.endswith(".md"):
                continue
            file = view.tree.read_text_or_flaw(path := f"{folder}/{name}")
            if not isinstance(file, Flaw):
                ref = f"{project}/{ident}" if project else ident
                yield KnownMemory(ref, path, project, file.text)


def describe_new_memories(
    view: TreeFilesAndGit, kind: Kind, planned_paths: Sequence[str] = ()
) -> NewMemories:
    """Return the next number of a kind in the whole tree, after planned files too; and the day."""
    names = [path.rpartition("/")[2] for path in planned_paths]
    for _, folder in _list_folders(view, kind):
        names += view.tree.list_names(folder)
    last = kind.next_id(name.removesuffix(".md") for name in names)
    number = int(last.rpartition("-")[2])
    return NewMemories(kind, number, view.clock().date().isoformat())


def is_personal(path: str) -> bool:
    """Return whether a memory is personal: git ignores it."""
    return path.startswith(f"{PERSONAL_FOLDER}/")


def _list_folders(view: TreeFilesAndGit, kind: Kind) -> list[tuple[str, str]]:
    """Return each folder with atoms of a kind, and its project (empty: personal)."""
    projects = [(name, kind_folder(name, kind)) for name in view.tree.list_projects()]
    return [*projects, ("", f"{PERSONAL_FOLDER}/{kind.folder}")]
