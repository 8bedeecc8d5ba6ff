"""Count the memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.operations.shared.load_memories import count_memories

if TYPE_CHECKING:
    from cortexfs.operations.shared.memory_types import MemoryStats
    from cortexfs.session.session import Session


def memory_stats(session: Session) -> MemoryStats:
    """Return how many sessions, memories and prompts there are, and their projects."""
    with session.read() as view:
        return count_memories(view)
