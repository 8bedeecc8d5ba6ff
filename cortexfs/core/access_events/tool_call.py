"""A tool call of an agent, in the same form for every client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

JsonObject = Mapping[str, object]

UNKNOWN_CWD = "\0"
"""An unknown working directory; no path can be relative to it."""


class ToolCall(NamedTuple):
    """One successful call of a tool: its input and its response, as Claude Code sends them.

    `tool` is `Read`, `Grep`, `Bash`, `cortexfs` or a tool that shows no atoms. `tool_response` is
    None if it was cut off or is missing. The response of `Bash` may have `truncated`: parts of the
    output were left out.
    """

    tool: str
    tool_input: JsonObject
    tool_response: JsonObject | None
    cwd: str
    session: str
    agent: str
    id: str


def text_field(fields: JsonObject, key: str) -> str:
    """Return one field as text; an empty string if it is absent or not text."""
    value = fields.get(key)
    return value if isinstance(value, str) else ""


def object_field(fields: JsonObject, key: str) -> JsonObject | None:
    """Return one field as an object; None if it is absent or not an object."""
    value = fields.get(key)
    return value if isinstance(value, dict) else None
