"""Write memories in the format of engram and of Cortex in Go, for those who go back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.memory.memory_record import number_from_id
from cortexfs.core.stores.memory_origin import parse_origin
from cortexfs.core.stores.stored_values import StoreFormat

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
) -> dict[str, Json]:
    """Return an export; relations, scores and origins have no place in it."""
    return {
        "version": ENGRAM_VERSION,
        "exported_at": exported_at,
        "sessions": [_format_session(each) for each in sessions],
        "observations": [_format_memory(each) for each in memories],
        "prompts": [_format_prompt(each) for each in prompts],
    }
