"""Put what is remembered into a request: in place of its macros, or as a message of its own."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING

from cortexfs.core.stories.chat_api.json_values import splice
from cortexfs.core.stories.transcripts.transcript import SYSTEM, USER

if TYPE_CHECKING:
    from collections.abc import Callable

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


def expand_prompts(request: ChatRequest, expand: Callable[[str], str]) -> list[Change]:
    """Return the changes that expand the macros of system messages; what people say stays."""
    changes: list[Change] = []
    for message in request.messages:
        if message.is_prompt:
            changes += _replace_content(message, expand)
    return changes


def insert_memories(request: ChatRequest, memories: str, place: MemoryPlace) -> list[Change]:
    """Return the change that adds a text to a request; none if there is nothing to add."""
    if not memories or not request.messages or place is MemoryPlace.NONE:
        return []
    if place is MemoryPlace.FIRST:
        if request.messages[0].is_prompt:
            return _replace_content(request.messages[0], lambda text: f"{text}\n\n{memories}")
        at = request.messages[0].source.start
    else:
        spoken = [each for each in request.messages if each.role == USER]
        at = (spoken or request.messages)[-1].source.start
    message = json.dumps({"role": SYSTEM, "content": memories})
    return [(at, at, f"{message}, ")]


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


def _replace_content(message: ChatMessage, expand: Callable[[str], str]) -> list[Change]:
    """Return the change of a message whose text is expanded, in a part of it or as a whole."""
    fields = message.source.value
    if not isinstance(fields, dict):
        return []
    content = fields.get("content")
    new: Json = content
    if isinstance(content, str):
        new = expand(content)
    elif isinstance(content, list):
        new = [_expand_part(part, expand) for part in content]
    if new == content:
        return []
    text = json.dumps({**fields, "content": new})
    return [(message.source.start, message.source.end, text)]


def _expand_part(part: Json, expand: Callable[[str], str]) -> Json:
    if isinstance(part, dict) and isinstance(part.get("text"), str):
        return {**part, "text": expand(str(part["text"]))}
    return part
