"""Save the summary of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.operations.memory.save_memory import save_memory
from cortexfs.operations.shared.memory_types import (
    MemoryDraft,
    SavedMemory,
)

if TYPE_CHECKING:
    from cortexfs.session.session import Session


def save_session_summary(
    session: Session,
    content: str,
    project: str,
    session_id: str = "",
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> SavedMemory:
    """Save the summary of a session as a memory of the type `session_summary`."""
    title = f"Session summary: {project}"
    draft = MemoryDraft(title, content, "session_summary", project, session_id=session_id)
    return save_memory(session, draft, mode=mode)
