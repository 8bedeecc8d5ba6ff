"""Format a stored memory, session or prompt as an atom: its fields in order, and its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.anti_pattern_marker import add_anti_pattern_tag
from cortexfs.core.atoms.parse_atom import MAX_SUMMARY_CHARS
from cortexfs.core.memory.memory_text import make_session_title
from cortexfs.core.text.sanitize import to_one_line, truncate_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.stores.stored_values import StoredMemory, StoredPrompt, StoredSession

    Fields = dict[str, str | tuple[str, ...]]

MAX_TAGS = 32
PROMPT_SUMMARY_CHARS = 80
_PROMPT_TAG, _SESSION_TAG = "prompt", "session"


def make_memory_fields(memory: StoredMemory, relations: Iterable[str], origin: str) -> Fields:
    """Return the fields that come from the store; the rest is the atom's own."""
    kind = to_one_line(memory.type).lower() or "manual"
    tags = tuple(dict.fromkeys(filter(None, map(_make_tag, memory.tags))))[:MAX_TAGS]
    summary = make_title_line(memory)
    return {
        "summary": summary,
        "tags": add_anti_pattern_tag(summary, tags or (_make_tag(kind),)),
        "type": kind,
        "scope": memory.scope,
        "topic-key": memory.topic_key,
        "session": memory.session_id,
        "tool": memory.tool,
        "revision": str(memory.revision),
        "duplicates": str(memory.duplicates or ""),
        "created": memory.created,
        "last-seen": memory.last_seen,
        "relations": tuple(relations),
        "deleted-at": memory.deleted_at,
        "origin": origin,
    }


def make_title_line(memory: StoredMemory) -> str:
    """Return the title of a memory as the summary of its atom."""
    return truncate_line(memory.title, MAX_SUMMARY_CHARS)


def make_session_fields(session: StoredSession) -> Fields:
    """Return the fields of a session."""
    return {
        "summary": make_session_title(session.session_id, session.summary),
        "tags": (_SESSION_TAG,),
        "status": "ended" if session.ended else "active",
        "session": session.session_id,
        "directory": session.directory,
        "created": session.started,
        "ended": session.ended,
    }


def make_prompt_fields(prompt: StoredPrompt) -> Fields:
    """Return the fields of a prompt."""
    return {
        "summary": truncate_line(prompt.content, PROMPT_SUMMARY_CHARS),
        "tags": (_PROMPT_TAG,),
        "session": prompt.session_id,
        "created": prompt.created,
    }


def _make_tag(text: str) -> str:
    return "-".join(to_one_line(text).lower().replace(",", " ").split())
