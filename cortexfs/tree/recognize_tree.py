"""Recognize a tree, and find the user's own folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def cortex_home(environ: Mapping[str, str]) -> str:
    """Return the folder with the user's tree and the installed hooks: by default `~/.cortex`."""
    home = environ.get("CORTEX_HOME") or os.path.join("~", ".cortex")
    return os.path.abspath(os.path.expanduser(home))


def is_tree(path: str) -> bool:
    """Return whether a folder is a tree: it has `CORTEX.md` and `projects/`."""
    return os.path.isfile(os.path.join(path, "CORTEX.md")) and os.path.isdir(
        os.path.join(path, "projects")
    )
