"""Plan the changes of memories and sessions that several operations make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.plan import Write
from cortexfs.core.memory.memory_record import parse_memory_record, parse_session_record
from cortexfs.core.memory.memory_text import change_memory_text, format_time
from cortexfs.errors import Refused
from cortexfs.operations.shared.load_memories import parse_memory_text, read_memory_text
from cortexfs.operations.shared.memory_types import SavedRecord, SavedSession
from cortexfs.operations.shared.plan_memory_files import (
    clean_id,
    plan_memory_change,
    plan_memory_writes,
)

if TYPE_CHECKING:
    from cortexfs.session.annotation_types import MemoryRow
    from cortexfs.session.view import View


def plan_soft_deletion(view: View, row: MemoryRow, verb: str) -> SavedRecord:
    """Return the plan that marks a memory as deleted; `verb` begins the message."""
    text = read_memory_text(view, row.path)
    before = parse_memory_record(*parse_memory_text(view, row.path, text))
    edits: dict[str, str | tuple[str, ...] | None] = {
        "deleted-at": before.deleted_at or format_time(view.clock()),
        "status": "stale",
    }
    write = Write(row.path, change_memory_text(text, edits), text)
    record = parse_memory_record(*parse_memory_text(view, row.path, write.text))
    return SavedRecord(record, plan_memory_change(view, verb, record, [write]))


def require_session_id(session_id: str) -> str:
    """Return the id of a session as it is stored; raises `Refused` if it is empty."""
    wanted = clean_id(session_id)
    if not wanted:
        raise Refused("the session has no id", hint="give the id that the client uses")
    return wanted


def plan_session_change(view: View, write: Write, message: str) -> SavedSession:
    """Return the plan of a new or changed session; of an unchanged one it is empty."""
    record = parse_session_record(*parse_memory_text(view, write.path, write.text))
    writes = [] if write.text == write.expected_text else [write]
    return SavedSession(record, plan_memory_writes(view, message, writes))
