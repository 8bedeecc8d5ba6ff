"""Resolve the paths in a hook's payload against the tree and the user's home."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.core.access_events.path_resolution import PathResolver
from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.tree.recognize_tree import is_tree
from cortexfs.tree.tree import Tree

if TYPE_CHECKING:
    from cortexfs.core.atoms.kinds import Kinds


def open_tree_files(root: str) -> Tree | None:
    """Return the files of the tree at a root, without a session; None if there is no tree."""
    return Tree(root) if is_tree(root) else None


def make_path_resolver(tree: Tree, kinds: Kinds) -> PathResolver:
    """Return a resolver with the names of root and home and access to files below the root."""
    home = os.path.expanduser("~")

    def parse_path(path: str) -> tuple[str, str] | None:
        place = parse_atom_path(path, kinds)
        is_atom = place and place.project and place.claimed_id
        return (place.project, place.file_name) if place and is_atom else None

    def find_project(path: str) -> str | None:
        place = parse_atom_path(f"{path}/x.md", kinds)
        return place.project if place and place.project and tree.is_folder(path) else None

    def read_text(path: str) -> str | None:
        read = tree.read_text_or_flaw(path)
        return None if isinstance(read, Flaw) else read.text

    return PathResolver(
        roots=tuple(dict.fromkeys((tree.root, os.path.realpath(tree.root)))),
        homes=tuple(dict.fromkeys((home, os.path.realpath(home)))),
        resolve_links=os.path.realpath,
        list_folder=tree.list_names,
        is_file=tree.is_file,
        parse_atom_path=parse_path,
        find_folder_project=find_project,
        read_text=read_text,
    )
