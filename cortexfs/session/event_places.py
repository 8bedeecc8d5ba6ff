"""Where the paths in events lie: below the tree, the home, and the folders that agents work in."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from cortexfs.core.memory.memory_text import parse_project_name
from cortexfs.core.process_events.edited_paths import Places, WorkingFolder
from cortexfs.session.working_folders import find_repository_folder, find_tree_project

if TYPE_CHECKING:
    from cortexfs.tree.tree import Tree

MAX_PATH_CHARS = 4096
"""Maximum characters of a folder's path."""


def make_places(tree: Tree) -> Places:
    """Return the places in which the paths of events lie. Each folder is located once."""
    home = os.path.expanduser("~")
    roots = tuple(dict.fromkeys((tree.root, os.path.realpath(tree.root))))

    @cache
    def locate(folder: str) -> WorkingFolder:
        if not folder.startswith("/") or "\0" in folder or len(folder) > MAX_PATH_CHARS:
            return WorkingFolder()
        try:
            own, repository = find_tree_project(tree, folder), find_repository_folder(folder)
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
