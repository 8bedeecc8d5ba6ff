"""List memories, latest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.memory.memory_text import normalize_project
from cortexfs.operations.shared.load_memories import load_memories

if TYPE_CHECKING:
    from cortexfs.core.memory.memory_filter import MemoryFilter
    from cortexfs.core.memory.memory_record import MemoryRecord
    from cortexfs.session.session import Session

MAX_SESSIONS = 5
MAX_PROMPTS = 10


def list_memories(
    session: Session, only: MemoryFilter, limit: int = 20, offset: int = 0
) -> list[MemoryRecord]:
    """Return the current memories that meet some conditions, latest first."""
    with session.read() as view:
        if only.project:
            only = only._replace(project=normalize_project(only.project))
        rows = view.memories.list_recent("observation", only, limit, offset)
        return load_memories(view, rows)
