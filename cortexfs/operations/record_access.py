"""Count a look at an atom, as a hook does for an agent."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.session.view import FileView


def note_look(view: FileView, path: str) -> None:
    """Leave a note as a hook would: the next drain logs it."""
    now = int(view.clock().timestamp() * 1_000_000_000)
    payload = {
        "hook_event_name": "PostToolUse",
        "tool_name": "cortexfs",
        "tool_input": {"file_path": os.path.join(view.tree.root, path)},
        "cwd": view.tree.root,
    }
    try:
        view.tree.spool.leave(f"{now}.{os.getpid()}", json.dumps(payload).encode())
    except OSError:  # a read-only tree is read all the same
        return
