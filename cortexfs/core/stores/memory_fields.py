"""Format a stored memory, session or prompt as an atom: its fields in order, and its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.anti_pattern_marker import add_anti_pattern_tag
from cortexfs.core.atoms.kinds import PROMPT_KIND, SESSION_KIND
from cortexfs.core.atoms.parse_atom import MAX_SUMMARY_CHARS
from cortexfs.core.memory.clean_fields import clean_tag, clean_type, make_type_tag
from cortexfs.core.memory.memory_record import ACTIVE_SESSION, ENDED_SESSION, ORIGIN_KEY
from cortexfs.core.memory.memory_text import make_session_title
from cortexfs.core.memory.relations import RELATIONS_KEY
from cortexfs.core.memory.topic_key import normalize_topic_key
from cortexfs.core.text.sanitize import truncate_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.stores.stored_values import StoredMemory, StoredPrompt, StoredSession

    Fields = dict[str, str | tuple[str, ...]]

MAX_TAGS = 32
PROMPT_SUMMARY_CHARS = 80


def make_memory_fields(memory: StoredMemory, relations: Iterable[str], origin: str) -> Fields:
    """Return the fields that come from the store; the rest is the atom's own."""
    kind = clean_type(memory.type)
    tags = tuple(dict.fromkeys(filter(None, map(_make_tag, memory.tags))))[:MAX_TAGS]
    summary = make_memory_summary(memory)
    return {
        "summary": summary,
        "tags": add_anti_pattern_tag(summary, tags or (make_type_tag(kind),)),
        "type": kind,
        "scope": memory.scope,
        "topic-key": normalize_topic_key(memory.topic_key),
        "session": memory.session_id,
        "tool": memory.tool,
        "revision": str(memory.revision),
        "duplicates": str(memory.duplicates or ""),
        "created": memory.created,
        "last-seen": memory.last_seen,
        RELATIONS_KEY: tuple(relations),
        "deleted-at": memory.deleted_at,
        ORIGIN_KEY: origin,
    }


def make_memory_summary(memory: StoredMemory) -> str:
    """Return the title of a memory as the summary of its atom."""
    return truncate_line(memory.title, MAX_SUMMARY_CHARS)


def make_session_fields(session: StoredSession) -> Fields:
    """Return the fields of a session."""
    return {
        "summary": make_session_title(session.session_id, session.summary),
        "tags": (SESSION_KIND,),
        "status": ENDED_SESSION if session.ended else ACTIVE_SESSION,
        "session": session.session_id,
        "directory": session.directory,
        "created": session.started,
        "ended": session.ended,
    }


def make_prompt_fields(prompt: StoredPrompt) -> Fields:
    """Return the fields of a prompt."""
    return {
        "summary": truncate_line(prompt.content, PROMPT_SUMMARY_CHARS),
        "tags": (PROMPT_KIND,),
        "session": prompt.session_id,
        "created": prompt.created,
    }


def _make_tag(text: str) -> str:
    return "-".join(clean_tag(text).lower().replace(",", " ").split())
