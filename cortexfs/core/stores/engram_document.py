"""Write memories in the format of engram and of Cortex in Go, for those who go back."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.memory.memory_record import MemoryRecord, PromptRecord, SessionRecord
    from cortexfs.core.stores.json_fields import Json

ENGRAM_VERSION = "0.1.0"


def format_engram(
    memories: Iterable[MemoryRecord],
    sessions: Iterable[SessionRecord],
    prompts: Iterable[PromptRecord],
    exported_at: str,
) -> dict[str, object]:
    """Return an export with iterators; relations, scores and origins have no place in it."""
    return {
        "version": ENGRAM_VERSION,
        "exported_at": exported_at,
        "sessions": map(format_session, sessions),
        "observations": map(format_memory, memories),
        "prompts": map(format_prompt, prompts),
    }


def format_memory(memory: MemoryRecord) -> dict[str, Json]:
    """Return a memory; fields without a value are left out, as the originals do."""
    optional = {
        "tool_name": memory.tool,
        "topic_key": memory.topic_key,
        "last_seen_at": memory.last_seen,
        "deleted_at": memory.deleted_at,
    }
    return {
        "id": memory.number,
        "session_id": memory.session_id,
        "type": memory.type,
        "title": memory.title,
        "content": memory.content,
        "project": memory.project,
        "scope": memory.scope,
        **{key: value for key, value in optional.items() if value},
        "revision_count": memory.revision,
        "duplicate_count": memory.duplicates + 1,
        "created_at": memory.created,
        "updated_at": memory.updated,
    }


def format_session(session: SessionRecord) -> dict[str, Json]:
    """Return a session; times without a value are left out."""
    optional = {"ended_at": session.ended, "summary": session.summary}
    return {
        "id": session.id,
        "project": session.project,
        "directory": session.directory,
        "started_at": session.started,
        **{key: value for key, value in optional.items() if value},
    }


def format_prompt(prompt: PromptRecord) -> dict[str, Json]:
    """Return a prompt."""
    return {
        "id": prompt.number,
        "session_id": prompt.session_id,
        "content": prompt.content,
        "project": prompt.project,
        "created_at": prompt.created,
    }
