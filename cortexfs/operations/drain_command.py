"""The command that drains the spool into the access logs after a quiet time."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.session.view import TreeFilesAndGit

DRAIN_SCRIPT = "hooks/drain_later.py"
"""The script that waits for quiet and then drains."""


def drain_command(view: TreeFilesAndGit, script: str, *options: str) -> list[str]:
    """Return the command that runs `drain_later.py`, which becomes `cortexfs hook drain`."""
    python, root = find_interpreter(), view.tree.root
    wait_command: Sequence[str] = (python, "-I", "-S", script, *options, spool_path(view))
    return [*wait_command, python, "-I", "-m", "cortexfs", "--root", root, "hook", "drain"]


def spool_path(view: TreeFilesAndGit) -> str:
    """Return the path of the spool, as the hook scripts take it."""
    return f"{view.tree.private_folder}/spool"


def find_interpreter() -> str:
    """Return the path of this Python, always the same: the client runs equal commands once."""
    candidate = os.path.join(os.path.dirname(sys.executable), "python3")
    is_same = os.path.exists(candidate) and os.path.samefile(candidate, sys.executable)
    return candidate if is_same else sys.executable
