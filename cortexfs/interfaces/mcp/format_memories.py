"""Memories as the texts that the prompts of agents know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.untrusted_text import clean_line, clean_text, preview

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.memory.importance_score import MemoryScore
    from cortexfs.core.memory.memory_record import MemoryRecord, PromptRecord, SessionRecord

SEARCH_CHARS = 300
HYBRID_CHARS = 120
GRAPH_CHARS = 80
TIMELINE_CHARS, FOCUS_CHARS = 150, 500
SESSION_CHARS, PROMPT_CHARS = 200, 200
TIMELINE_SESSION_CHARS = 100
"""Maximum characters of what each text shows of a content."""


def format_time(typed: str) -> str:
    """Return a time as `2026-05-06 20:31:10`, in UTC; what is no time stays as it is."""
    return clean_line(typed).replace("T", " ").removesuffix("Z")


def join_refs(records: Iterable[MemoryRecord]) -> str:
    """Return the refs of memories, for the source of a text."""
    return " ".join(dict.fromkeys(record.ref for record in records))


def format_search_hit(number: int, record: MemoryRecord) -> str:
    """Return one result of a search, numbered from 1."""
    project = f" | project: {clean_line(record.project)}" if record.project else ""
    head = f"[{number}] #{record.number} ({clean_line(record.type)}) — {clean_line(record.title)}"
    where = f"{format_time(record.created)}{project} | scope: {record.scope}"
    return f"{head}\n    {preview(record.content, SEARCH_CHARS)}\n    {where}\n"


def format_hybrid_hit(number: int, record: MemoryRecord, rank: float) -> str:
    """Return one result of a hybrid search, numbered from 1."""
    about = f"({clean_line(record.type)}, rank: {rank:.2f})"
    head = f"{number}. [{record.number}] {clean_line(record.title)} {about}"
    return f"{head}\n   {preview(record.content, HYBRID_CHARS)}\n"


def format_memory(record: MemoryRecord) -> str:
    """Return a whole memory, with its fields at the end."""
    fields = {
        "Session": record.session_id,
        "Project": record.project,
        "Scope": record.scope,
        "Topic": record.topic_key,
        "Tool": record.tool,
        "Duplicates": str(record.duplicates),
        "Revisions": str(record.revision),
        "Created": format_time(record.created),
        "Deleted": format_time(record.deleted_at),
    }
    lines = [f"{name}: {clean_line(value)}" for name, value in fields.items() if value]
    head = f"#{record.number} [{clean_line(record.type)}] {clean_line(record.title)}"
    return "\n".join([head, clean_text(record.content), *lines])


def format_context(
    sessions: Sequence[SessionRecord],
    prompts: Sequence[PromptRecord],
    memories: Sequence[MemoryRecord],
) -> str:
    """Return recent sessions, prompts and observations, each under its heading if there are any."""
    parts = {
        "### Recent Sessions": [_format_session(each) for each in sessions],
        "### Recent User Prompts": [
            f"- {format_time(each.created)}: {preview(each.content, PROMPT_CHARS)}"
            for each in prompts
        ],
        "### Recent Observations": [
            f"- #{each.number} [{clean_line(each.type)}] **{clean_line(each.title)}**: "
            f"{preview(each.content, SEARCH_CHARS)}"
            for each in memories
        ],
    }
    return "\n\n".join("\n".join([head, *lines]) for head, lines in parts.items() if lines)


def _format_session(session: SessionRecord) -> str:
    summary = f": {preview(session.summary, SESSION_CHARS)}" if session.summary else ""
    about = f"({format_time(session.started)}){summary} [{session.memory_count} observations]"
    return f"- **{clean_line(session.project)}** {about}"


def format_timeline(
    session: SessionRecord | None,
    total: int,
    before: Sequence[MemoryRecord],
    focus: MemoryRecord,
    after: Sequence[MemoryRecord],
) -> str:
    """Return the memories before and after one in its session."""
    parts = [_format_timeline_head(session, total)] if session else []
    if before:
        parts.append("\n".join(["─── Before ───", *map(_format_timeline_entry, before)]))
    head = f">>> #{focus.number} [{clean_line(focus.type)}] {clean_line(focus.title)} <<<"
    content = preview(focus.content, FOCUS_CHARS)
    parts.append(f"{head}\n    {content}\n    {format_time(focus.created)}")
    if after:
        parts.append("\n".join(["─── After ───", *map(_format_timeline_entry, after)]))
    return "\n\n".join(parts)


def _format_timeline_head(session: SessionRecord, total: int) -> str:
    summary = preview(session.summary, TIMELINE_SESSION_CHARS)
    about = f"{clean_line(session.project)} ({format_time(session.started)})"
    head = f"Session: {about} — {summary}" if summary else f"Session: {about}"
    return f"{head}\nTotal observations in session: {total}"


def _format_timeline_entry(record: MemoryRecord) -> str:
    head = f"  #{record.number} [{clean_line(record.type)}] {clean_line(record.title)}"
    return f"{head} — {preview(record.content, TIMELINE_CHARS)}"


def format_related(record: MemoryRecord) -> str:
    """Return one related memory."""
    head = f"- [{record.number}] {clean_line(record.title)} ({clean_line(record.type)})"
    return f"{head} — {preview(record.content, GRAPH_CHARS)}"


def format_score_parts(score: MemoryScore) -> str:
    """Return the sum that makes a score."""
    return (
        f"{score.total:.2f} = base {score.base:.2f} + access {score.access_bonus:.2f}"
        f" + recency {score.recency_bonus:.2f} + edges {score.edge_bonus:.2f}"
        f" + type {score.type_bonus:.2f} - age {score.age_penalty:.2f}"
    )
