"""Find the tree that a command means."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def root_of(asked: str | None, environ: Mapping[str, str], cwd: str) -> str:
    """Give the root's absolute path; it need not exist.

    `--root`, else `CORTEXFS_ROOT`, else `$CORTEX_HOME/context`, else the nearest ancestor
    of the working directory that is a tree, else `~/.cortex/context`.
    """
    if asked or (asked := environ.get("CORTEXFS_ROOT")):
        return os.path.abspath(os.path.join(cwd, os.path.expanduser(asked)))
    if environ.get("CORTEX_HOME"):
        return os.path.join(home_of(environ), "context")
    return _ancestor(cwd) or os.path.join(home_of(environ), "context")


def home_of(environ: Mapping[str, str]) -> str:
    """Give the folder that holds the user's tree and installed hooks: `~/.cortex`."""
    home = environ.get("CORTEX_HOME") or os.path.join("~", ".cortex")
    return os.path.abspath(os.path.expanduser(home))


def is_tree(path: str) -> bool:
    """Tell whether a folder is a tree: it holds `CORTEX.md` and `projects/`."""
    return os.path.isfile(os.path.join(path, "CORTEX.md")) and os.path.isdir(
        os.path.join(path, "projects")
    )


def _ancestor(path: str) -> str | None:
    while True:
        if is_tree(path):
            return path
        above = os.path.dirname(path)
        if above == path:
            return None
        path = above
