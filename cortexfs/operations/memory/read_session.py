"""One session of an agent, with what it saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.errors import NoSuchSession
from cortexfs.operations.shared.load_memories import load_memories, load_prompts, load_sessions
from cortexfs.operations.shared.memory_types import SessionContents

if TYPE_CHECKING:
    from cortexfs.session.session import Session


def read_session(session: Session, session_id: str) -> SessionContents:
    """Return the session with a client's id, its memories and prompts. Raises `NoSuchSession`."""
    with session.read() as view:
        row = view.memories.find_session(session_id)
        found = load_sessions(view, [row]) if row else []
        if not found:
            raise NoSuchSession(session_id)
        return SessionContents(
            found[0],
            load_memories(view, view.memories.list_session(session_id)),
            load_prompts(view, view.memories.list_prompts(session_id)),
        )
