"""Format a stored memory, session or prompt as an atom: its fields in order, and its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.anti_pattern_marker import add_anti_pattern_tag
from cortexfs.core.atoms.parse_atom import MAX_SUMMARY_CHARS
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.text.sanitize import to_one_line, truncate_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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
    first_line = next(filter(None, map(to_one_line, session.summary.splitlines())), "")
    summary = first_line or f"Session {session.session_id}"
    return {
        "summary": truncate_line(summary, MAX_SUMMARY_CHARS),
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


def format_new_text(ident: str, day: str, project: str, fields: Fields, content: str) -> str:
    """Return the text of a new atom; fields without a value are left out."""
    whole: Fields = {"id": ident, "date": day, "project": project, **fields}
    block = atom_text.format_frontmatter({key: value for key, value in whole.items() if value})
    return f"---\n{block}---\n\n{content.strip()}\n"


def change_text(text: str, fields: Mapping[str, str | tuple[str, ...]], content: str) -> str:
    """Return an atom with other fields and content; empty fields are removed, others stay."""
    front, _ = atom_text.split_front_and_body(text)
    changes = {key: value or None for key, value in fields.items()}
    return atom_text.edit_frontmatter(f"{front}\n{content.strip()}\n", changes)


def _make_tag(text: str) -> str:
    return "-".join(to_one_line(text).lower().replace(",", " ").split())
