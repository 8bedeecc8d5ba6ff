"""Find the tree for a command."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.tree.recognize_tree import cortex_home, is_tree

if TYPE_CHECKING:
    from collections.abc import Mapping


def find_root(requested: str | None, environ: Mapping[str, str], cwd: str) -> str:
    """Return the root's absolute path; it need not exist.

    `--root`, else `CORTEXFS_ROOT`, else `$CORTEX_HOME/context`, else the nearest ancestor of the
    working directory that is a tree, else `~/.cortex/context`.
    """
    if requested or (requested := environ.get("CORTEXFS_ROOT")):
        return os.path.abspath(os.path.join(cwd, os.path.expanduser(requested)))
    if environ.get("CORTEX_HOME"):
        return os.path.join(cortex_home(environ), "context")
    return find_ancestor_tree(cwd) or os.path.join(cortex_home(environ), "context")


def find_ancestor_tree(path: str) -> str | None:
    """Return the nearest tree that a folder is in, or is; None if there is none."""
    while True:
        if is_tree(path):
            return path
        parent = os.path.dirname(path)
        if parent == path:
            return None
        path = parent
