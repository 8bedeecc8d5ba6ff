"""Our block in a client's memory file: between two markers, inserted and removed to the byte."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

BEGIN, END = "<!-- cortexfs:begin -->", "<!-- cortexfs:end -->"
_MARKER_LINE = re.compile(rf"^(?:({BEGIN})|{END})[ \t]*\r?$", re.MULTILINE)
_REF_LINE = re.compile(
    r"^.*\[(?:[a-z0-9][a-z0-9._-]{0,63}/)?OBS-[0-9]{3,12}\][ \t]*\r?\n?", re.MULTILINE
)
"""A line that ends in the ref of a memory, as the lines of a digest do."""


class _Block(NamedTuple):
    """The span of a block with the line break after it; `is_closed` means that it has its end."""

    start: int
    end: int
    is_closed: bool


def strip_digest(text: str) -> str:
    """Return a text without anything of a digest: blocks, and lines copied out of one.

    A block without its end is removed up to the end of the text.
    """
    return _REF_LINE.sub("", _remove_blocks(text, _find_blocks(text)))


def remove_block(text: str) -> str:
    """Return a text without our block, every other byte as it is."""
    return _remove_blocks(text, _find_closed_blocks(text))


def insert_block(text: str, digest: str) -> str:
    """Return a text with our block in its place, or at its end; an empty digest removes it."""
    if not digest:
        return remove_block(text)
    block = f"{BEGIN}\n{digest.strip()}\n{END}\n"
    if found := _find_closed_blocks(text):
        return f"{text[: found[0].start]}{block}{remove_block(text[found[0].end :])}"
    return f"{text}\n{block}" if text else block


def _find_closed_blocks(text: str) -> list[_Block]:
    return [block for block in _find_blocks(text) if block.is_closed]


def _find_blocks(text: str) -> list[_Block]:
    """Return the blocks in order: each from its first marker to the next end; adjacent ones as one.

    Takes time in proportion to the text, whatever is in it.
    """
    blocks: list[_Block] = []
    start = -1
    for marker in _MARKER_LINE.finditer(text):
        if marker[1]:
            start = marker.start() if start < 0 else start
        elif start >= 0:
            end = marker.end() + text.startswith("\n", marker.end())
            if blocks and blocks[-1].end == start:
                start = blocks.pop().start
            blocks.append(_Block(start, end, is_closed=True))
            start = -1
    return [*blocks, _Block(start, len(text), is_closed=False)] if start >= 0 else blocks


def _remove_blocks(text: str, blocks: Sequence[_Block]) -> str:
    """Return a text without blocks, and without the line break before each, which is ours.

    A line break that now ends a line of the text stays.
    """
    kept: list[str] = []
    at = 0
    for block in blocks:
        part, at = text[at : block.start], block.end
        ends_line = at < len(text) and part[-2:-1] not in {"", "\n"}
        kept.append(part if ends_line else part.removesuffix("\n"))
    return "".join([*kept, text[at:]])
