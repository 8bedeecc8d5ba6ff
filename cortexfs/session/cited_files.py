"""The files that atoms cite: the code and data of a project, which lie outside of the tree.

A tree cannot name their folder, because its content is untrusted. The folder comes from the user's
own settings, or from the working directory.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import OutsideTree
from cortexfs.session.working_folders import find_repository_folder
from cortexfs.tree import atomic_files
from cortexfs.tree.safe_open import open_folder, split_path
from cortexfs.tree.user_settings import list_source_folders

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAX_CITED_BYTES = 1024 * 1024
"""Maximum bytes of a cited file; no line of a larger one is read."""


class CitedFiles(NamedTuple):
    """The folder of each project whose files can be found."""

    folders: Mapping[str, str]

    def make_line_reader(self, project: str) -> Callable[[str], list[str] | None] | None:
        """Return a function from a file's path to its lines; None if the folder is unknown."""
        folder = self.folders.get(project)
        return cache(lambda path: _read_lines(folder, path)) if folder else None


def find_cited_files(environ: Mapping[str, str], cwd: str, root: str) -> CitedFiles:
    """Return the folders: from the user's settings, else the repository of the working directory.

    The repository counts for the project with the name of its folder, and never if it contains the
    tree itself.
    """
    repository = find_repository_folder(os.path.realpath(cwd)) if cwd else ""
    tree = os.path.realpath(root)
    contains_tree = tree == repository or tree.startswith(f"{repository}{os.sep}")
    is_usable = repository and not contains_tree
    found = {os.path.basename(repository).lower(): repository} if is_usable else {}
    return CitedFiles({**found, **list_source_folders(environ)})


def _read_lines(folder: str, path: str) -> list[str] | None:
    """Return the lines of a regular file below a folder; None for hidden files, links and `..`."""
    inner, _, name = path.rpartition("/")
    try:
        if any(step.startswith(".") for step in split_path(path)):
            return None
        with open_folder(folder, inner) as at:
            content = atomic_files.read_file_bytes(at, name)
    except (OSError, OutsideTree):
        return None
    return (
        content.decode(errors="replace").splitlines() if len(content) <= MAX_CITED_BYTES else None
    )
