"""A chunk of a story as recall knows it, from the fields of its file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.chunk_file import list_tags

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import FrontmatterValue

_RANGE = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)


class ChunkMemory(NamedTuple):
    """A chunk: its ref and path, its story, its first and last message, and what it is worth."""

    ref: str
    path: str
    story: str
    first: int
    last: int
    salience: float
    is_core: bool
    emotions: tuple[str, ...]
    flags: tuple[str, ...]


def parse_chunk_fields(
    ref: str, path: str, fields: Mapping[str, FrontmatterValue]
) -> ChunkMemory | None:
    """Return the chunk with some fields; None if they are of no chunk of a story."""
    story, span = fields.get("story"), _RANGE.fullmatch(str(fields.get("messages", "")))
    if not isinstance(story, str) or span is None:
        return None
    return ChunkMemory(
        ref,
        path,
        story,
        int(span[1]),
        max(int(span[1]), int(span[2])),
        read_share(fields.get("salience")),
        fields.get("core") == "yes",
        list_tags(fields.get("emotions")),
        list_tags(fields.get("flags")),
    )


def read_share(value: object) -> float:
    """Return a number from 0 to 1; 0 for anything else."""
    try:
        number = float(str(value))
    except ValueError:
        return 0.0
    return min(1.0, max(0.0, number)) if number == number else 0.0  # noqa: PLR0124 - not a number
