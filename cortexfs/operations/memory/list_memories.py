"""List memories, sessions and prompts, latest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import OBSERVATION_KIND, PROMPT_KIND, SESSION_KIND
from cortexfs.core.memory.memory_filter import NO_FILTER
from cortexfs.core.memory.memory_text import normalize_project
from cortexfs.operations.shared.load_memories import load_memories, load_prompts, load_sessions

if TYPE_CHECKING:
    from cortexfs.core.memory.memory_filter import MemoryFilter
    from cortexfs.core.memory.memory_record import MemoryRecord, PromptRecord, SessionRecord
    from cortexfs.session.annotation_types import MemoryRow
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

DEFAULT_LIMIT = 20


def list_memories(
    session: Session, only: MemoryFilter = NO_FILTER, limit: int = DEFAULT_LIMIT, offset: int = 0
) -> list[MemoryRecord]:
    """Return observations without deleted ones, from the one at `offset` on."""
    with session.read() as view:
        return load_memories(view, _list_rows(view, OBSERVATION_KIND, only, limit, offset))


def list_sessions(
    session: Session, project: str = "", limit: int = DEFAULT_LIMIT, offset: int = 0
) -> list[SessionRecord]:
    """Return sessions, each with the number of its observations."""
    only = NO_FILTER._replace(project=project)
    with session.read() as view:
        return load_sessions(view, _list_rows(view, SESSION_KIND, only, limit, offset))


def list_prompts(
    session: Session, project: str = "", limit: int = DEFAULT_LIMIT, offset: int = 0
) -> list[PromptRecord]:
    """Return the prompts that people typed."""
    only = NO_FILTER._replace(project=project)
    with session.read() as view:
        return load_prompts(view, _list_rows(view, PROMPT_KIND, only, limit, offset))


def _list_rows(
    view: View, kind: str, only: MemoryFilter, limit: int, offset: int
) -> list[MemoryRow]:
    project = normalize_project(only.project) if only.project else ""
    found = view.memories.list_recent(kind, only._replace(project=project), offset + limit)
    return found[offset:]
