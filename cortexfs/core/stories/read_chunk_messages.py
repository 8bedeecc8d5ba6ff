"""Read the messages in the file of a chunk: each is a code block, whose first line says whose."""

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
    lines = iter(body.split("\n"))
    for line in lines:
        if fence := _FENCE.fullmatch(line):
            header = _HEADER.fullmatch(next(lines, ""))
            said: list[str] = []
            for each in lines:
                if each == fence[1]:
                    break
                said.append(each)
            speaker, role, time = header.groups() if header else ("", "", "")
            yield Message("", time or "", "" if speaker == "-" else speaker, role, "\n".join(said))
