"""Tell a tree from another folder, and find the folder of the user's own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def cortex_home(environ: Mapping[str, str]) -> str:
    """Give the folder that holds the user's tree and installed hooks: `~/.cortex`."""
    home = environ.get("CORTEX_HOME") or os.path.join("~", ".cortex")
    return os.path.abspath(os.path.expanduser(home))


def is_tree(path: str) -> bool:
    """Tell whether a folder is a tree: it holds `CORTEX.md` and `projects/`."""
    return os.path.isfile(os.path.join(path, "CORTEX.md")) and os.path.isdir(
        os.path.join(path, "projects")
    )
