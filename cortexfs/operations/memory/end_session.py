"""Save that a session of an agent has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Write, attach_outcome
from cortexfs.core.memory.memory_record import ENDED_SESSION
from cortexfs.core.memory.memory_text import change_memory_text, format_time, make_session_title
from cortexfs.errors import NoSuchSession
from cortexfs.operations.shared.load_memories import read_memory_text
from cortexfs.operations.shared.plan_memory_changes import plan_session_change, require_session_id
from cortexfs.operations.shared.plan_memory_files import (
    clean_content,
)

if TYPE_CHECKING:
    from cortexfs.core.memory.memory_record import SessionRecord
    from cortexfs.operations.shared.memory_types import (
        SavedSession,
    )
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


def end_session(
    session: Session,
    session_id: str,
    summary: str = "",
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> SessionRecord:
    """Save that a session has ended, with its summary. Raises `NoSuchSession`."""
    wanted = require_session_id(session_id)
    content = clean_content(summary, "summary") if summary.strip() else None

    def decide(view: View) -> SavedSession:
        row = view.memories.find_session(wanted)
        if row is None:
            raise NoSuchSession(wanted)
        text = read_memory_text(view, row.path)
        edits = {"status": ENDED_SESSION, "ended": format_time(view.clock())}
        if content:
            edits["summary"] = make_session_title(wanted, content)
        write = Write(row.path, change_memory_text(text, edits, content), text)
        return plan_session_change(view, write, f"end session {wanted}")

    return attach_outcome(session.execute(decide, mode)).record
