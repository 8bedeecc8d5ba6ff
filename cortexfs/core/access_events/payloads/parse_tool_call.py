"""Parse the event of a client's hook into the tool call in it."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.core.access_events.payloads.claude_code_tool_call import read_claude_code_tool_call
from cortexfs.core.access_events.payloads.codex_tool_call import read_codex_tool_call
from cortexfs.core.access_events.payloads.gemini_tool_call import read_gemini_tool_call
from cortexfs.core.access_events.payloads.opencode_tool_call import read_opencode_tool_call

if TYPE_CHECKING:
    from cortexfs.core.access_events.tool_call import JsonObject, ToolCall

_COLON = re.compile(r"\s*:\s*")
_NEXT_KEY = re.compile(r'\s*[{,]\s*(?=")')
_MAX_DIGITS = 400


def parse_tool_call(payload: bytes) -> ToolCall | None:
    """Return the completed tool call in an event; None if the event is another. Never raises."""
    return read_tool_call(parse_event_object(payload))


def parse_event_object(payload: bytes) -> JsonObject:
    """Return the fields of an event, of one that was cut off the complete ones. Never raises."""
    return _parse_object(payload.decode("utf-8", "replace").removeprefix("\ufeff"))


def read_tool_call(event: JsonObject) -> ToolCall | None:
    """Return the completed tool call in an event; None if the event is another.

    The client is recognized by the form of its event.
    """
    name = event.get("hook_event_name", _infer_event_name(event))
    if name == "AfterTool":
        return read_gemini_tool_call(event)
    if name == "tool.execute.after":
        return read_opencode_tool_call(event)
    if name == "PostToolUse":
        is_codex = isinstance(event.get("tool_response"), str)
        return read_codex_tool_call(event) if is_codex else read_claude_code_tool_call(event)
    return None


def _infer_event_name(event: JsonObject) -> str:
    """Return the name of an event without one; OpenCode does not name what it gives to a plugin."""
    return "tool.execute.after" if "callID" in event else "PostToolUse"


def _parse_object(event: str) -> JsonObject:
    try:
        fields = json.loads(event, parse_int=_parse_int)
    except (ValueError, RecursionError):
        return _parse_cut_object(event)
    return fields if isinstance(fields, dict) else {}


def _parse_cut_object(event: str) -> JsonObject:
    """Return the complete fields of a JSON object that was cut off."""
    fields: dict[str, object] = {}
    decode = json.JSONDecoder(parse_int=_parse_int).raw_decode
    end = 0
    with suppress(ValueError, RecursionError):
        while start := _NEXT_KEY.match(event, end):
            key, end = decode(event, start.end())
            colon = _COLON.match(event, end)
            if colon is None:
                break
            fields[key], end = decode(event, colon.end())
    return fields


def _parse_int(digits: str) -> int | None:
    """Return an integer; None for one that is too long: Python refuses to convert 4,301 digits."""
    return int(digits) if len(digits) <= _MAX_DIGITS else None
