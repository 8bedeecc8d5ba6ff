"""Read one memory: its whole text, or those around it; both count as reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.operations.memory.load_records import (
    load_memories,
    load_sessions,
    require_memory,
    resolve_memory,
)
from cortexfs.operations.memory.memory_values import MemoryTimeline
from cortexfs.operations.spool_read import spool_read

if TYPE_CHECKING:
    from cortexfs.core.memory.memory_record import MemoryRecord
    from cortexfs.session.session import Session

DEFAULT_NEIGHBOURS = 5


def read_memory(session: Session, typed: str, *, session_id: str = "") -> MemoryRecord:
    """Return a memory; this counts as a read of the client's session. Raises `NoSuchAtom`."""
    with session.read() as view:
        record = require_memory(view, typed)
        spool_read(view, record.path, session_id)
        return record


def read_timeline(session: Session, typed: str, before: int = 0, after: int = 0) -> MemoryTimeline:
    """Return the memories of the same session around one; numbers below 1 mean five.

    Raises `NoSuchAtom`.
    """
    with session.read() as view:
        row = resolve_memory(view, typed)
        focus = require_memory(view, typed)
        rows = view.memories.list_session(row.session) if row.session else [row]
        numbers = [each.number for each in rows]
        at = numbers.index(row.number) if row.number in numbers else len(rows)
        first = max(0, at - (before if before > 0 else DEFAULT_NEIGHBOURS))
        last = at + 1 + (after if after > 0 else DEFAULT_NEIGHBOURS)
        found = view.memories.find_session(row.session) if row.session else None
        sessions = load_sessions(view, [found]) if found else []
        return MemoryTimeline(
            sessions[0] if sessions else None,
            len(rows),
            load_memories(view, rows[first:at]),
            focus,
            load_memories(view, rows[at + 1 : last]),
        )
