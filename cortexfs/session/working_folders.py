"""Where an agent works: the project of a folder, and the repository around it."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from cortexfs.tree.user_settings import list_source_folders

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.process_events.edited_paths import Places
    from cortexfs.tree.tree import Tree

MAX_PATH_CHARS = 4096
"""Maximum characters of a folder's path."""


def find_tree_project(tree: Tree, folder: str) -> str | None:
    """Return the project of the tree that a folder belongs to; None if it belongs to none."""
    relative = os.path.relpath(os.path.realpath(folder), os.path.realpath(tree.root))
    steps = relative.split(os.sep)
    if len(steps) > 1 and steps[0] == "projects" and steps[1] in tree.list_projects():
        return steps[1]
    return None


def find_repository(folder: str) -> str:
    """Return the nearest folder with a `.git`; empty without one."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return ""
    return folder


def list_project_folders(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the folder outside the tree that the user's settings name for each project."""
    return list_source_folders(environ)


def make_places(tree: Tree) -> Places:
    """Return the places in which the paths of events lie. Each folder is located once."""
    from cortexfs.core.memory.memory_text import parse_project_name  # noqa: PLC0415 - only events need it
    from cortexfs.core.process_events.edited_paths import Places, WorkingFolder  # noqa: PLC0415

    home = os.path.expanduser("~")
    roots = tuple(dict.fromkeys((tree.root, os.path.realpath(tree.root))))

    @cache
    def locate(folder: str) -> WorkingFolder:
        if not folder.startswith("/") or "\0" in folder or len(folder) > MAX_PATH_CHARS:
            return WorkingFolder()
        try:
            own, repository = find_tree_project(tree, folder), find_repository(folder)
        except (OSError, ValueError):  # a path that this system cannot have
            return WorkingFolder()
        is_tree = repository in roots
        named = "" if is_tree else parse_project_name(os.path.basename(repository))
        return WorkingFolder(own or named, repository)

    return Places(
        roots=roots,
        homes=tuple(dict.fromkeys((home, os.path.realpath(home)))),
        locate=locate,
    )
