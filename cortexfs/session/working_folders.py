"""Which project and which repository a folder belongs to; many commands ask, so this is light."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.tree.tree import Tree


def find_tree_project(tree: Tree, folder: str) -> str | None:
    """Return the project of the tree that a folder belongs to; None if it belongs to none."""
    relative = os.path.relpath(os.path.realpath(folder), os.path.realpath(tree.root))
    steps = relative.split(os.sep)
    if len(steps) > 1 and steps[0] == "projects" and steps[1] in tree.list_projects():
        return steps[1]
    return None


def find_repository_folder(folder: str) -> str:
    """Return the nearest folder with a `.git`; empty without one."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return ""
    return folder


def list_project_folders(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the folder outside the tree that the user's settings name for each project."""
    from cortexfs.tree.user_settings import list_source_folders  # noqa: PLC0415 - few commands ask

    return list_source_folders(environ)
