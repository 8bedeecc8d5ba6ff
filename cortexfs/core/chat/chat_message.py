"""One message of a thread, and the line of JSON that stores it."""

from __future__ import annotations

import json
import re
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from cortexfs.core.language_model.parse_answer import find_schema_flaw

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_QUESTION_CHARS = 16_000
"""Maximum characters of a message that a person sends."""
MAX_ANSWER_CHARS = 60_000
"""Maximum characters of an answer that are stored."""
MAX_RESULT_CHARS = 8_000
"""Maximum characters of the result of a tool that are stored, and that a model reads."""
MAX_PREVIEW_CHARS = 200
"""Maximum characters of the preview of a result, which is one line."""
MAX_STORED_CALLS = 12
"""Maximum number of tool calls of a message that are read."""

_THREAD_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", re.ASCII)
_TEXT = {"type": "string"}
_CALL_FIELDS = ("tool", "call_id", "args", "result", "result_preview", "commit")
_PENDING_FIELDS = ("tool", "args", "digest", "summary")
_MESSAGE_FIELDS = ("id", "thread_id", "role", "content", "channel_context", "created_at")


def _object(names: tuple[str, ...], **others: object) -> dict[str, object]:
    properties = dict.fromkeys(names, _TEXT) | others
    return {"type": "object", "properties": properties, "required": list(properties)}


_ARGUMENTS = {"type": "array", "items": {"type": "array", "items": _TEXT, "maxItems": 2}}
_MESSAGE = _object(
    _MESSAGE_FIELDS,
    tool_calls={
        "type": "array",
        "items": _object(_CALL_FIELDS, args=_ARGUMENTS),
        "maxItems": MAX_STORED_CALLS,
    },
    pending={
        "type": "array",
        "items": _object(_PENDING_FIELDS, args=_ARGUMENTS),
        "maxItems": 1,
    },
)


class Role(StrEnum):
    """Who wrote a message."""

    USER = "user"
    ASSISTANT = "assistant"


class ToolCall(NamedTuple):
    """One call of a tool: its arguments as text, and its result.

    `commit` is the id of the commit that it made; empty if it made none.
    """

    tool: str
    call_id: str
    args: Mapping[str, str]
    result: str = ""
    result_preview: str = ""
    commit: str = ""


class PendingChange(NamedTuple):
    """A change that waits for a confirmation: the call, and a digest of its plan."""

    tool: str
    args: Mapping[str, str]
    digest: str
    summary: str


class ChatMessage(NamedTuple):
    """One message; `created_at` is a time in UTC, `channel_context` the session it is about."""

    id: str
    thread_id: str
    role: Role
    content: str
    created_at: str
    channel_context: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    pending: PendingChange | None = None


def is_thread_id(text: str) -> bool:
    """Return whether a text can name a thread, and so its file."""
    return bool(_THREAD_ID.fullmatch(text))


def format_message_line(message: ChatMessage) -> str:
    """Return one line of JSON, with its line end."""
    document = message._asdict()
    document["tool_calls"] = [_to_stored(each) for each in message.tool_calls]
    document["pending"] = [_to_stored(message.pending)] if message.pending else []
    return json.dumps(document, ensure_ascii=True, separators=(",", ":")) + "\n"


def _to_stored(value: ToolCall | PendingChange) -> dict[str, object]:
    return {**value._asdict(), "args": list(value.args.items())}


def parse_message_line(line: str) -> ChatMessage | None:
    """Return the message of a line; None for a torn or foreign one. Never raises."""
    try:
        found = json.loads(line)
        if find_schema_flaw(found, _MESSAGE):
            return None
        return ChatMessage(
            **{name: found[name] for name in _MESSAGE_FIELDS if name != "role"},
            role=Role(found["role"]),
            tool_calls=tuple(ToolCall(**_from_stored(each)) for each in found["tool_calls"]),
            pending=PendingChange(**_from_stored(found["pending"][0]))
            if found["pending"]
            else None,
        )
    except (ValueError, RecursionError):
        return None


def _from_stored(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a call; raises `ValueError` if an argument has no value."""
    return {**fields, "args": dict(fields["args"])}
