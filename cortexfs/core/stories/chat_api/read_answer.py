"""What the answer to a request says: of a stream of events, also one that was cut off."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from cortexfs.core.stories.transcripts.transcript import join_blocks, read_object, read_objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.stores.json_fields import Json

MAX_CHOICES = 16
"""Maximum number of answers to one request that are read."""
EVENT_STREAM = "text/event-stream"
_THOUGHT = re.compile(r"\s*<think(?:ing)?>.*?</think(?:ing)?>\s*", re.DOTALL)
"""What some models think, before their answer."""


def read_answer(body: bytes, media_type: str) -> tuple[str, ...]:
    """Return the text of each answer in a body, by its number; empty texts are left out.

    Calls of tools, and what a model thinks before it answers, are no part of it.
    """
    is_stream = media_type.partition(";")[0].strip().lower() == EVENT_STREAM
    texts: dict[int, list[str]] = {}
    for document in _iter_events(body) if is_stream else filter(None, [_parse(body)]):
        for choice in read_objects(read_object(document).get("choices")):
            index = choice.get("index", 0)
            said = read_object(choice.get("delta")) or read_object(choice.get("message"))
            if isinstance(index, int) and 0 <= index < MAX_CHOICES:
                texts.setdefault(index, []).append(join_blocks(said.get("content")))
    answers = (_remove_thought("".join(texts[index])) for index in sorted(texts))
    return tuple(answer for answer in answers if answer.strip())


def _remove_thought(text: str) -> str:
    found = _THOUGHT.match(text)
    return text[found.end() :] if found else text


def _iter_events(body: bytes) -> Iterator[Json]:
    """Yield the documents of a stream; what is no JSON, as its end, is left out."""
    for line in body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"):
        if line.startswith(b"data:"):
            yield _parse(line[len(b"data:") :])


def _parse(text: bytes) -> Json:
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value
