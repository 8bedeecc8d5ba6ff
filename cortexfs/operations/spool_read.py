"""Record an access event of a command, as a hook does for an agent."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from cortexfs.errors import OutsideTree
from cortexfs.operations.drain_command import DRAIN_SCRIPT, drain_command

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.session.view import TreeFilesAndGit


def spool_read(view: TreeFilesAndGit, path: str, session_id: str = "") -> None:
    """Write a note as a hook does, and make sure that a drain waits for quiet.

    `session_id` is that of the client which reads.
    """
    spool_reads(view, (path,), session_id)


def spool_reads(view: TreeFilesAndGit, paths: Sequence[str], session_id: str = "") -> None:
    """Write a note for each of some files, as `spool_read` does for one."""
    now = int(view.clock().timestamp() * 1_000_000_000)
    payload: dict[str, object] = {
        "hook_event_name": "PostToolUse",
        "tool_name": "cortexfs",
        "cwd": view.tree.root,
    }
    if session_id:
        payload["session_id"] = session_id
    try:
        for number, path in enumerate(paths):
            payload["tool_input"] = {"file_path": os.path.join(view.tree.root, path)}
            name = f"{now + number}.{os.getpid()}"
            view.tree.spool.add_note(name, json.dumps(payload).encode())
        if paths:
            script = view.tree.package_path(DRAIN_SCRIPT)
            view.tree.spool.start_drain(drain_command(view, script), os.environ)
    except (OSError, OutsideTree):  # a read that cannot be noted does not stop the command
        return
