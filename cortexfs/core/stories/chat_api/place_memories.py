"""Put what is remembered into a request: in place of its macros, or as a message of its own."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING

from cortexfs.core.stories.chat_api.json_values import splice
from cortexfs.core.stories.transcripts.transcript import (
    SYSTEM,
    USER,
    read_object,
    read_objects,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.core.stores.json_fields import Json
    from cortexfs.core.stories.chat_api.chat_request import ChatMessage, ChatRequest

    Change = tuple[int, int, str]


class MemoryPlace(StrEnum):
    """Where memories are put if the prompt has no macro for them."""

    LAST = "last"
    """Before the last message of the user, in a system message of their own."""
    FIRST = "first"
    """At the end of the first system message: some models accept no other one."""
    NONE = "none"
    """Nowhere: macros alone are replaced."""


def list_prompts(request: ChatRequest) -> list[str]:
    """Return the texts of system messages, each once; what people say is none."""
    prompts = (each for each in request.messages if each.is_prompt)
    return list(dict.fromkeys(text for each in prompts for text in _iter_texts(each)))


def expand_prompts(
    request: ChatRequest, texts: Mapping[str, str], memories: str, place: MemoryPlace
) -> list[Change]:
    """Return the changes that replace texts of system messages.

    For `FIRST`, memories follow what the first message says, if that is a system message.
    """
    changes: list[Change] = []
    for number, message in enumerate(request.messages):
        added = memories if number == 0 and place is MemoryPlace.FIRST else ""
        if message.is_prompt and (texts or added):
            changes += _replace_content(message, texts, added)
    return changes


def insert_memories(request: ChatRequest, memories: str, place: MemoryPlace) -> list[Change]:
    """Return the change that adds a message with memories; none if there are none.

    For `FIRST`, this is for a request that does not begin with a system message.
    """
    if not memories or not request.messages or place is MemoryPlace.NONE:
        return []
    first = request.messages[0]
    if place is MemoryPlace.FIRST:
        at = None if first.is_prompt else first.source.start
    else:
        spoken = [each for each in request.messages if each.role == USER]
        at = (spoken or request.messages)[-1].source.start
    message = json.dumps({"role": SYSTEM, "content": memories})
    return [] if at is None else [(at, at, f"{message}, ")]


def remove_story_of_model(request: ChatRequest) -> list[Change]:
    """Return the change that leaves the name of the model alone, if that of a story follows it."""
    model = request.model
    if not request.story or model is None or not isinstance(model.value, str):
        return []
    name = model.value[: -len(request.story) - 1]
    return [(model.start, model.end, json.dumps(name))]


def apply_changes(request: ChatRequest, changes: list[Change]) -> bytes:
    """Return the body of a request with some changes; every other byte stays."""
    return splice(request.text, sorted(changes)).encode()


def _iter_texts(message: ChatMessage) -> Iterator[str]:
    """Yield the text of a message, or those of its parts."""
    content = read_object(message.source.value).get("content")
    if isinstance(content, str):
        yield content
    for part in read_objects(content):
        if isinstance(text := part.get("text"), str):
            yield text


def _replace_content(message: ChatMessage, texts: Mapping[str, str], added: str) -> list[Change]:
    """Return the change of a message whose texts are replaced, and get a new end."""
    fields = read_object(message.source.value)
    content = fields.get("content")
    new: Json = content
    if isinstance(content, str):
        new = "\n\n".join(filter(None, (texts.get(content, content), added)))
    elif isinstance(content, list):
        new = [_replace_part(part, texts) for part in content]
        new += [{"type": "text", "text": added}] if added else []
    if new == content:
        return []
    text = json.dumps({**fields, "content": new})
    return [(message.source.start, message.source.end, text)]


def _replace_part(part: Json, texts: Mapping[str, str]) -> Json:
    if isinstance(part, dict) and isinstance(text := part.get("text"), str):
        return {**part, "text": texts.get(text, text)}
    return part
