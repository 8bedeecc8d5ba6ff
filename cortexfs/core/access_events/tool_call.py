"""The tool call in an event of a client's hook."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

JsonObject = Mapping[str, object]

UNKNOWN_CWD = "\0"
"""An unknown working directory; no path can be relative to it."""

_COLON = re.compile(r"\s*:\s*")
_NEXT = re.compile(r'\s*[{,]\s*(?=")')


class ToolCall(NamedTuple):
    """One successful call of a tool: its input (`tool_input`) and its response (`tool_response`).

    `tool_response` is None if it was cut off or is missing.
    """

    tool: str
    tool_input: JsonObject
    tool_response: JsonObject | None
    cwd: str
    session: str
    agent: str
    id: str


def parse_tool_call(payload: bytes) -> ToolCall | None:
    """Return the tool call in an event; None if the event is not `PostToolUse`. Never raises."""
    event = _fields(payload.decode("utf-8", "replace").removeprefix("\ufeff"))
    if event.get("hook_event_name", "PostToolUse") != "PostToolUse":
        return None
    asked, answer = event.get("tool_input"), event.get("tool_response")
    return ToolCall(
        tool=text_field(event, "tool_name"),
        tool_input=asked if isinstance(asked, dict) else {},
        tool_response=answer if isinstance(answer, dict) else None,
        cwd=text_field(event, "cwd") or UNKNOWN_CWD,
        session=text_field(event, "session_id"),
        agent=text_field(event, "agent_id"),
        id=text_field(event, "tool_use_id"),
    )


def text_field(fields: JsonObject, key: str) -> str:
    """Return one field as text; an empty string if it is absent or not text."""
    value = fields.get(key)
    return value if isinstance(value, str) else ""


def _fields(event: str) -> JsonObject:
    try:
        fields = json.loads(event)
    except (ValueError, RecursionError):
        return _leading(event)
    return fields if isinstance(fields, dict) else {}


def _leading(event: str) -> JsonObject:
    """Return the complete fields of a JSON object that was cut off."""
    fields: dict[str, object] = {}
    read = json.JSONDecoder().raw_decode
    after = 0
    with suppress(ValueError, RecursionError):
        while start := _NEXT.match(event, after):
            key, after = read(event, start.end())
            colon = _COLON.match(event, after)
            if colon is None:
                break
            fields[key], after = read(event, colon.end())
    return fields
