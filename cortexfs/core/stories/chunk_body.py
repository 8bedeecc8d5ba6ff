"""The body of a chunk's file: the messages in its code blocks, and the lines beside them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.stories.message import Message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.stories.chunk_messages import Chunk

MAX_SHOWN_CHARS = 100_000
"""Characters of a message that its chunk shows; the record has all of them."""

_MERGE_MARKER = re.compile(r"^(?=(?:<{7}|>{7})(?: |$))", re.MULTILINE)
"""Where a line begins that reads as the marker of a merge conflict."""
_BACKTICKS = re.compile(r"`{3,}")
_FENCE = re.compile(r"(`{3,})text")
_HEADER = re.compile(r"(.*) \(([a-z]+)(?:, ([^()]*))?\):")


def render_body(chunk: Chunk, ident: str, story: str) -> str:
    """Return the body of the file of a chunk: its heading, and each message in a code block."""
    heading = f"# {ident}: {story}, messages {chunk.first} to {chunk.last}"
    return "\n".join((f"{heading}\n", *map(_render_message, chunk.messages)))


def _render_message(message: Message) -> str:
    """Return the code block of a message; its first line says whose it is."""
    text = message.text
    if len(text) > MAX_SHOWN_CHARS:
        left = len(text) - MAX_SHOWN_CHARS
        text = f"{text[:MAX_SHOWN_CHARS]}\n[{left} more characters are in the record]"
    text = _MERGE_MARKER.sub(" ", text)
    runs = _BACKTICKS.findall(text)
    fence = "`" * max(3, *(len(run) + 1 for run in runs), 3)
    when = f", {message.time}" if message.time else ""
    head = _MERGE_MARKER.sub(" ", f"{message.speaker or '-'} ({message.role}{when}):")
    return f"{fence}text\n{head}\n{text}\n{fence}\n"


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
