"""The tool call in an event of a client's hook."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

Fields = Mapping[str, object]

NOWHERE = "\0"
"""A working directory that is not known: no path is relative to it."""

_COLON = re.compile(r"\s*:\s*")
_NEXT = re.compile(r'\s*[{,]\s*(?=")')


class Call(NamedTuple):
    """One successful call of a tool: its input (`asked`) and its response (`answer`).

    `answer` is None where it was cut off or is missing.
    """

    tool: str
    asked: Fields
    answer: Fields | None
    cwd: str
    session: str
    agent: str
    id: str


def read_call(payload: bytes) -> Call | None:
    """Parse an event. Never raises; None for any other event than one after a tool call."""
    event = _fields(payload.decode("utf-8", "replace").removeprefix("\ufeff"))
    if event.get("hook_event_name", "PostToolUse") != "PostToolUse":
        return None
    asked, answer = event.get("tool_input"), event.get("tool_response")
    return Call(
        tool=text(event, "tool_name"),
        asked=asked if isinstance(asked, dict) else {},
        answer=answer if isinstance(answer, dict) else None,
        cwd=text(event, "cwd") or NOWHERE,
        session=text(event, "session_id"),
        agent=text(event, "agent_id"),
        id=text(event, "tool_use_id"),
    )


def text(fields: Fields, key: str) -> str:
    """Give one field as text; empty where it is absent or something else."""
    value = fields.get(key)
    return value if isinstance(value, str) else ""


def _fields(event: str) -> Fields:
    try:
        fields = json.loads(event)
    except (ValueError, RecursionError):
        return _leading(event)
    return fields if isinstance(fields, dict) else {}


def _leading(event: str) -> Fields:
    """Give the fields that are complete in an object that was cut off."""
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
