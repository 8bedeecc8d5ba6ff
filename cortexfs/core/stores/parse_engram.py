"""Parse an export of engram, or of Cortex in Go: sessions, observations and prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.memory.clean_fields import clean_scope
from cortexfs.core.stores.json_fields import (
    BadEntry,
    parse_entries,
    read_count,
    read_line,
    read_lines,
    read_text,
    read_time,
    require_line,
    require_text,
)
from cortexfs.core.stores.stored_values import (
    BrokenEntry,
    StoreContents,
    StoredMemory,
    StoredPrompt,
    StoredSession,
    StoreFormat,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.stores.json_fields import Json


def parse_engram(document: Mapping[str, Json]) -> StoreContents:
    """Return the contents of an export."""
    broken: list[BrokenEntry] = []
    return StoreContents(
        StoreFormat.ENGRAM,
        tuple(parse_entries(document.get("observations"), "observations", _parse_memory, broken)),
        tuple(parse_entries(document.get("sessions"), "sessions", _parse_session, broken)),
        tuple(parse_entries(document.get("prompts"), "prompts", _parse_prompt, broken)),
        tuple(broken),
    )


def _parse_memory(entry: Mapping[str, Json], _number: int) -> StoredMemory:
    number = entry.get("id")
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise BadEntry("`id` is not a number above 0")
    return StoredMemory(
        origin=f"{StoreFormat.ENGRAM}:{number}",
        title=require_text(entry, "title"),
        content=require_text(entry, "content"),
        type=read_line(entry, "type"),
        project=read_line(entry, "project"),
        scope=clean_scope(read_line(entry, "scope")),
        topic_key=read_line(entry, "topic_key"),
        session_id=read_line(entry, "session_id"),
        tool=read_line(entry, "tool_name"),
        tags=tuple(read_lines(entry, "tags")),
        created=read_time(entry, "created_at"),
        last_seen=read_time(entry, "last_seen_at"),
        deleted_at=read_time(entry, "deleted_at"),
        revision=max(1, read_count(entry, "revision_count", 1)),
        duplicates=_count_duplicates(entry),
        has_local_id=True,
    )


def _count_duplicates(entry: Mapping[str, Json]) -> int:
    """Return how often a memory was saved again: the exports count the first time too."""
    return max(0, read_count(entry, "duplicate_count", 1) - 1)


def _parse_session(entry: Mapping[str, Json], _number: int) -> StoredSession:
    return StoredSession(
        require_line(entry, "id"),
        read_line(entry, "project"),
        read_line(entry, "directory"),
        read_time(entry, "started_at"),
        read_time(entry, "ended_at"),
        read_text(entry, "summary"),
    )


def _parse_prompt(entry: Mapping[str, Json], _number: int) -> StoredPrompt:
    return StoredPrompt(
        require_text(entry, "content"),
        read_line(entry, "session_id"),
        read_line(entry, "project"),
        read_time(entry, "created_at"),
    )
