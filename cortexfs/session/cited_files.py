"""The files that atoms cite: the code and data of a project, which lie outside of the tree.

A tree cannot say where, for nobody knows who wrote it: the user's own settings can, and the
working directory does.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import OutsideTree
from cortexfs.tree import atomic_files
from cortexfs.tree.safe_open import open_folder, split_path
from cortexfs.tree.user_settings import list_source_folders

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAX_CITED_BYTES = 1024 * 1024
"""Bytes of a cited file; of a larger one no line is looked at."""


class CitedFiles(NamedTuple):
    """The folder of each project whose files can be found."""

    folders: Mapping[str, str]

    def make_line_reader(self, project: str) -> Callable[[str], list[str] | None] | None:
        """Give what reads a file of a project by its path; None where nobody knows its folder."""
        above = self.folders.get(project)
        return cache(lambda path: _lines(above, path)) if above else None


def find_cited_files(environ: Mapping[str, str], cwd: str, root: str) -> CitedFiles:
    """Find the folders: those of the user's settings, else the repository of the directory.

    The repository counts for the project that bears the name of its folder, and never where
    it holds the tree itself.
    """
    here = _repository(os.path.realpath(cwd)) if cwd else ""
    holds_tree = (
        os.path.realpath(root).startswith(f"{here}{os.sep}") or os.path.realpath(root) == here
    )
    around = {os.path.basename(here).lower(): here} if here and not holds_tree else {}
    return CitedFiles({**around, **list_source_folders(environ)})


def _lines(above: str, path: str) -> list[str] | None:
    """Read a regular file below a folder; a hidden one, a link, or a step up is nothing."""
    inner, _, name = path.rpartition("/")
    try:
        if any(step.startswith(".") for step in split_path(path)):
            return None
        with open_folder(above, inner) as at:
            content = atomic_files.read_file(at, name)
    except (OSError, OutsideTree):
        return None
    return (
        content.decode(errors="replace").splitlines() if len(content) <= MAX_CITED_BYTES else None
    )


def _repository(path: str) -> str:
    while not os.path.lexists(os.path.join(path, ".git")):
        path, below = os.path.dirname(path), path
        if path == below:
            return ""
    return path
