"""Read an event of Codex: `PostToolUse`, with the whole output of a shell command as a string.

Codex reads files only through its shell. It sends the event for commands that fail too, without
their exit code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.access_events.payloads.claude_code_tool_call import read_claude_code_tool_call
from cortexfs.core.access_events.payloads.drop_shell_errors import make_response_without_errors
from cortexfs.core.access_events.tool_call import text_field

if TYPE_CHECKING:
    from cortexfs.core.access_events.tool_call import JsonObject, ToolCall

_TRUNCATED = re.compile(
    r"Warning: truncated output[^\n]*\n(?:Total output lines: \d+\n)?\n?", re.ASCII
)


def read_codex_tool_call(event: JsonObject) -> ToolCall:
    """Return the tool call in an event whose response is a string."""
    call = read_claude_code_tool_call(event)
    if call.tool != "Bash":
        return call
    output = text_field(event, "tool_response")
    header = _TRUNCATED.match(output)
    shown = output[header.end() :] if header else output
    return call._replace(
        tool_response=make_response_without_errors(shown, is_truncated=header is not None)
    )
