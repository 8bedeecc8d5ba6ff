"""The body of a chunk's file: the messages in its code blocks, and the lines beside them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.stories.message import Message

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = re.compile(r"(`{3,})text")
_HEADER = re.compile(r"(.*) \(([a-z]+)(?:, ([^()]*))?\):")


def iter_chunk_messages(body: str) -> Iterator[Message]:
    """Yield the messages in the body of a chunk, without ids; other lines were not said."""
    for block in _iter_blocks(body):
        if isinstance(block, list):
            header = _HEADER.fullmatch(block[0]) if block else None
            speaker, role, time = header.groups() if header else ("", "", "")
            text = "\n".join(block[1:])
            yield Message("", time or "", "" if speaker == "-" else speaker, role, text)


def list_own_lines(body: str) -> list[str]:
    """Return the lines outside of the messages: nobody in the chat has said them."""
    return [block for block in _iter_blocks(body) if isinstance(block, str)]


def _iter_blocks(body: str) -> Iterator[list[str] | str]:
    """Yield the lines of each code block as a list, and every other line as a text."""
    lines = iter(body.split("\n"))
    for line in lines:
        if fence := _FENCE.fullmatch(line):
            block: list[str] = []
            for each in lines:
                if each == fence[1]:
                    break
                block.append(each)
            yield block
        else:
            yield line
