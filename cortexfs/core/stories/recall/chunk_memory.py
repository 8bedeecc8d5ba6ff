"""A chunk of a story as recall knows it, from the fields of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.chunk_file import list_tags, read_share
from cortexfs.core.stories.message_numbers import parse_numbers, parse_span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import FrontmatterValue


class ChunkMemory(NamedTuple):
    """A chunk: its ref and path, its story, its first and last message, and what it is worth.

    `numbers` are those of its messages if these are not consecutive.
    """

    ref: str
    path: str
    story: str
    first: int
    last: int
    salience: float
    is_core: bool
    emotions: tuple[str, ...]
    flags: tuple[str, ...]
    numbers: tuple[int, ...] = ()

    def find_number(self, place: int) -> int:
        """Return the number of the message at a place, from 0, of the chunk's text.

        Of a text that a person has changed it is as near as can be told.
        """
        return self.numbers[place] if place < len(self.numbers) else self.first + place


def parse_chunk_fields(
    ref: str, path: str, fields: Mapping[str, FrontmatterValue]
) -> ChunkMemory | None:
    """Return the chunk with some fields; None if they are of no chunk of a story."""
    story, span = fields.get("story"), parse_span(fields.get("messages"))
    if not isinstance(story, str) or span is None:
        return None
    return ChunkMemory(
        ref,
        path,
        story,
        span[0],
        max(span),
        read_share(fields.get("salience")),
        fields.get("core") == "yes",
        list_tags(fields.get("emotions")),
        list_tags(fields.get("flags")),
        parse_numbers(fields.get("numbers")),
    )
