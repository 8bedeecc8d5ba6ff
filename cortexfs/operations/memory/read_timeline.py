"""The memories of a session around one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.operations.shared.load_memories import (
    load_memories,
    load_named_memory,
    load_sessions,
    resolve_memory,
)
from cortexfs.operations.shared.memory_types import MemoryTimeline

if TYPE_CHECKING:
    from cortexfs.session.session import Session

DEFAULT_NEIGHBOURS = 5


def read_timeline(session: Session, typed: str, before: int = 0, after: int = 0) -> MemoryTimeline:
    """Return the memories of the same session around one; numbers below 1 mean five.

    Raises `NoSuchAtom`.
    """
    with session.read() as view:
        row = resolve_memory(view, typed)
        focus = load_named_memory(view, typed)
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
