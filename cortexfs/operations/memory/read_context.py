"""What was done lately: the sessions, prompts and memories that a new session begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.memory.memory_filter import MemoryFilter
from cortexfs.core.memory.memory_text import normalize_project
from cortexfs.operations.memory.load_records import load_memories, load_prompts, load_sessions
from cortexfs.operations.memory.memory_values import MemoryContext, MemoryStats

if TYPE_CHECKING:
    from cortexfs.core.memory.memory_record import MemoryRecord
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

MAX_SESSIONS = 5
MAX_PROMPTS = 10


def read_context(
    session: Session, project: str = "", scope: str = "", limit: int = 20
) -> MemoryContext:
    """Return the latest sessions, prompts and memories, of one project or of all."""
    with session.read() as view:
        only = MemoryFilter(normalize_project(project) if project else "", scope)
        of_project = MemoryFilter(only.project)
        queries = view.memories
        return MemoryContext(
            load_sessions(view, queries.list_recent("session", of_project, MAX_SESSIONS)),
            load_prompts(view, queries.list_recent("prompt", of_project, MAX_PROMPTS)),
            load_memories(view, queries.list_recent("observation", only, limit)),
            _count(view),
        )


def list_memories(
    session: Session, only: MemoryFilter, limit: int = 20, offset: int = 0
) -> list[MemoryRecord]:
    """Return the current memories that meet some conditions, latest first."""
    with session.read() as view:
        if only.project:
            only = only._replace(project=normalize_project(only.project))
        rows = view.memories.list_recent("observation", only, limit, offset)
        return load_memories(view, rows)


def memory_stats(session: Session) -> MemoryStats:
    """Return how many sessions, memories and prompts there are, and their projects."""
    with session.read() as view:
        return _count(view)


def _count(view: View) -> MemoryStats:
    counts = view.memories.count_by_kind()
    return MemoryStats(
        counts.get("session", 0),
        counts.get("observation", 0),
        counts.get("prompt", 0),
        view.memories.list_projects(),
    )
