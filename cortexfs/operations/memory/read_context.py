"""What was done lately: the sessions, prompts and memories that a session begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import OBSERVATION_KIND, PROMPT_KIND, SESSION_KIND
from cortexfs.core.memory.memory_filter import MemoryFilter
from cortexfs.core.memory.memory_text import normalize_project
from cortexfs.operations.shared.load_memories import (
    count_memories,
    load_memories,
    load_prompts,
    load_sessions,
)
from cortexfs.operations.shared.memory_types import MemoryContext

if TYPE_CHECKING:
    from cortexfs.session.session import Session

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
            load_sessions(view, queries.list_recent(SESSION_KIND, of_project, MAX_SESSIONS)),
            load_prompts(view, queries.list_recent(PROMPT_KIND, of_project, MAX_PROMPTS)),
            load_memories(view, queries.list_recent(OBSERVATION_KIND, only, limit)),
            count_memories(view),
        )
