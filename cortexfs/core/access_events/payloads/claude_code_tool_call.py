"""Read an event of Claude Code: `PostToolUse`, sent only for calls that succeeded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.access_events.tool_call import UNKNOWN_CWD, ToolCall, object_field, text_field

if TYPE_CHECKING:
    from cortexfs.core.access_events.tool_call import JsonObject


def read_claude_code_tool_call(event: JsonObject) -> ToolCall:
    """Return the tool call in an event, whose fields are those of a `ToolCall`."""
    return ToolCall(
        tool=text_field(event, "tool_name"),
        tool_input=object_field(event, "tool_input") or {},
        tool_response=object_field(event, "tool_response"),
        cwd=text_field(event, "cwd") or UNKNOWN_CWD,
        session=text_field(event, "session_id"),
        agent=text_field(event, "agent_id"),
        id=text_field(event, "tool_use_id"),
    )
