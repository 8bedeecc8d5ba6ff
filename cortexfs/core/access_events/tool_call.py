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
_NEXT_KEY = re.compile(r'\s*[{,]\s*(?=")')


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
    event = _parse_object(payload.decode("utf-8", "replace").removeprefix("\ufeff"))
    if event.get("hook_event_name", "PostToolUse") != "PostToolUse":
        return None
    tool_input, response = event.get("tool_input"), event.get("tool_response")
    return ToolCall(
        tool=text_field(event, "tool_name"),
        tool_input=tool_input if isinstance(tool_input, dict) else {},
        tool_response=response if isinstance(response, dict) else None,
        cwd=text_field(event, "cwd") or UNKNOWN_CWD,
        session=text_field(event, "session_id"),
        agent=text_field(event, "agent_id"),
        id=text_field(event, "tool_use_id"),
    )


def text_field(fields: JsonObject, key: str) -> str:
    """Return one field as text; an empty string if it is absent or not text."""
    value = fields.get(key)
    return value if isinstance(value, str) else ""


def _parse_object(event: str) -> JsonObject:
    try:
        fields = json.loads(event)
    except (ValueError, RecursionError):
        return _parse_cut_object(event)
    return fields if isinstance(fields, dict) else {}


def _parse_cut_object(event: str) -> JsonObject:
    """Return the complete fields of a JSON object that was cut off."""
    fields: dict[str, object] = {}
    decode = json.JSONDecoder().raw_decode
    end = 0
    with suppress(ValueError, RecursionError):
        while start := _NEXT_KEY.match(event, end):
            key, end = decode(event, start.end())
            colon = _COLON.match(event, end)
            if colon is None:
                break
            fields[key], end = decode(event, colon.end())
    return fields
