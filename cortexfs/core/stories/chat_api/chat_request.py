"""A request for a chat completion: its messages, and where they are in its text."""

from __future__ import annotations

from typing import NamedTuple

from cortexfs.core.stories.chat_api.json_values import JsonValue, iter_items, read_members
from cortexfs.core.stories.story_name import is_story_name
from cortexfs.core.stories.transcripts.transcript import (
    ASSISTANT,
    SYSTEM,
    USER,
    join_blocks,
    read_object,
    read_string,
)

STORY_MARK = "#"
"""What separates the name of a story from that of the model: `llama3#road`."""
TASK_BEGINNING = "### Task:"
"""How questions begin that Open WebUI asks by itself: for a title, tags, a query."""
_PROMPT_ROLES = {SYSTEM, "developer"}


class ChatMessage(NamedTuple):
    """A message of a request: what it says, and the value that it was read from."""

    role: str
    name: str
    text: str
    source: JsonValue

    @property
    def is_prompt(self) -> bool:
        """Whether it is an instruction, and not part of what was said."""
        return self.role in _PROMPT_ROLES

    @property
    def is_said(self) -> bool:
        """Whether a person or a character says it."""
        return self.role in {USER, ASSISTANT} and bool(self.text.strip())


class ChatRequest(NamedTuple):
    """The text of a request, and what was found in it; `story` is the name after the model."""

    text: str
    messages: tuple[ChatMessage, ...]
    model: JsonValue | None = None
    story: str = ""

    @property
    def prompt(self) -> str:
        """All instructions."""
        return "\n".join(each.text for each in self.messages if each.is_prompt)

    @property
    def is_task(self) -> bool:
        """Whether a front end asks by itself, beside the chat."""
        said = [each for each in self.messages if each.is_said]
        return bool(said) and said[-1].text.lstrip().startswith(TASK_BEGINNING)


def read_chat_request(body: bytes) -> ChatRequest | None:
    """Return the request in a body; None if it is of another form, which only its server knows."""
    try:
        text = body.decode()
        members = read_members(text)
        listed = members.get("messages")
        if listed is None or not isinstance(listed.value, list):
            return None
        messages = tuple(map(_read_message, iter_items(text, listed.start)))
    except (ValueError, RecursionError):
        return None
    model = members.get("model")
    story = _find_story(model.value) if model and isinstance(model.value, str) else ""
    return ChatRequest(text, messages, model, story)


def _read_message(source: JsonValue) -> ChatMessage:
    fields = read_object(source.value)
    role, name = read_string(fields, "role"), read_string(fields, "name")
    return ChatMessage(role, name, join_blocks(fields.get("content")), source)


def _find_story(model: str) -> str:
    """Return the name of a story after that of a model; empty without one."""
    _, mark, name = model.rpartition(STORY_MARK)
    return name if mark and is_story_name(name) else ""
