"""Parse an export of mem0: a list of memories, or an object that contains one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stores.json_fields import (
    parse_entries,
    read_line,
    read_lines,
    read_time,
    require_line,
    require_text,
)
from cortexfs.core.stores.memory_title import make_title
from cortexfs.core.stores.stored_values import (
    BrokenEntry,
    StoreContents,
    StoredMemory,
    StoreFormat,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.stores.json_fields import Json

LIST_KEYS = ("results", "memories")
"""The fields that contain the list, if the document is an object."""


def parse_mem0(document: Json) -> StoreContents:
    """Return the contents of an export."""
    place, entries = "", document
    if isinstance(document, dict):
        place = next((key for key in LIST_KEYS if key in document), LIST_KEYS[0])
        entries = document.get(place)
    broken: list[BrokenEntry] = []
    memories = parse_entries(entries, place, _parse_memory, broken)
    return StoreContents(StoreFormat.MEM0, tuple(memories), broken=tuple(broken))


def _parse_memory(entry: Mapping[str, Json], _number: int) -> StoredMemory:
    content = require_text(entry, "memory", "text", "data")
    about = entry.get("metadata")
    metadata = about if isinstance(about, dict) else {}
    return StoredMemory(
        origin=f"{StoreFormat.MEM0}:{require_line(entry, 'id')}",
        title=make_title(content),
        content=content,
        type=read_line(metadata, "type", "category"),
        project=read_line(metadata, "project"),
        session_id=read_line(entry, "run_id"),
        tags=(*read_lines(entry, "categories"), *read_lines(metadata, "tags")),
        created=read_time(entry, "created_at"),
        last_seen=read_time(entry, "updated_at"),
    )
