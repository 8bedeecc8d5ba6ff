"""The sessions of agents that were saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import SESSION_KIND
from cortexfs.core.memory.memory_filter import MemoryFilter
from cortexfs.core.memory.memory_record import ENDED_SESSION
from cortexfs.core.memory.memory_text import normalize_project
from cortexfs.operations.shared.load_memories import load_sessions
from cortexfs.operations.shared.memory_types import SessionList

if TYPE_CHECKING:
    from cortexfs.session.session import Session

NO_LIMIT = -1


def list_sessions(session: Session, project: str = "", limit: int = 20) -> SessionList:
    """Return the sessions of one project or of all, at most `limit` of them, active ones first."""
    with session.read() as view:
        only = MemoryFilter(normalize_project(project) if project else "")
        rows = view.memories.list_recent(SESSION_KIND, only, NO_LIMIT)
        ended = {
            entry.atom.path
            for entry in view.queries.iter_all_entries(SESSION_KIND)
            if entry.status.word == ENDED_SESSION
        }
        rows.sort(key=lambda row: row.path in ended)
        return SessionList(load_sessions(view, rows[:limit]), len(rows))
