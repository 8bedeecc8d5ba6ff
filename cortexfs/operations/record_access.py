"""Count a look at an atom, as a hook does for an agent."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.cortex import Cortex


def note_look(cortex: Cortex, path: str) -> None:
    """Leave a note as a hook would: the next drain logs it."""
    now = int(cortex.clock().timestamp() * 1_000_000_000)
    payload = {
        "hook_event_name": "PostToolUse",
        "tool_name": "cortexfs",
        "tool_input": {"file_path": os.path.join(cortex.tree.root, path)},
        "cwd": cortex.tree.root,
    }
    try:
        cortex.spool.leave(f"{now}.{os.getpid()}", json.dumps(payload).encode())
    except OSError:  # a read-only tree is read all the same
        return
