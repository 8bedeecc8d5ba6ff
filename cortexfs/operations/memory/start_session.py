"""Save that a session of an agent has begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Write, attach_outcome
from cortexfs.core.memory.memory_record import parse_session_record
from cortexfs.core.memory.memory_text import change_memory_text, normalize_project
from cortexfs.operations.shared.load_memories import parse_memory_text, read_memory_text
from cortexfs.operations.shared.plan_memory_changes import plan_session_change, require_session_id
from cortexfs.operations.shared.plan_memory_files import (
    clean_field,
    plan_session_file,
)

if TYPE_CHECKING:
    from cortexfs.core.memory.memory_record import SessionRecord
    from cortexfs.operations.shared.memory_types import (
        SavedSession,
    )
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


def start_session(
    session: Session,
    session_id: str,
    project: str,
    directory: str = "",
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> SessionRecord:
    """Save that a session has begun; of one that is known only a missing directory is added."""
    wanted, directory = require_session_id(session_id), clean_field(directory)
    name = normalize_project(project)

    def decide(view: View) -> SavedSession:
        row = view.memories.find_session(wanted)
        if row is None:
            write = plan_session_file(view, wanted, name, directory)
            return plan_session_change(view, write, f"start session {wanted}")
        text = read_memory_text(view, row.path)
        known = parse_session_record(*parse_memory_text(view, row.path, text))
        edits = {} if known.directory or not directory else {"directory": directory}
        write = Write(row.path, change_memory_text(text, edits), text)
        return plan_session_change(view, write, f"start session {wanted}")

    return attach_outcome(session.execute(decide, mode)).record
