"""Memories for the tests of merging."""

from __future__ import annotations

from cortexfs.core.maintain.equal_memories import WeighedMemory
from cortexfs.core.memory.memory_record import MemoryRecord

_RECORD = MemoryRecord(
    0, "", "", "A title", "fact", "Some content.", "p", "project", "", "", "", (), 1, 0,
    "2026-05-01T00:00:00Z", "", "2026-05-01T00:00:00Z", "", (), "",
)  # fmt: skip


def make_memory(number: int, importance: float = 0.5, **fields: object) -> WeighedMemory:
    """Make a memory with a number; fields that are not given have a common default."""
    project = fields.get("project", "p")
    ident = f"OBS-{number:03d}"
    record = _RECORD._replace(
        number=number,
        ref=f"{project}/{ident}",
        path=f"projects/{project}/observations/{ident}.md",
    )
    record = record._replace(**fields)  # type: ignore[arg-type]
    return WeighedMemory(record._replace(updated=max(record.created, record.last_seen)), importance)
