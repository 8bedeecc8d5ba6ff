"""Read an event that a plugin of OpenCode forwards: `tool.execute.after`.

OpenCode gives no event for a call that failed, except for shell commands.
"""

from __future__ import annotations

import re
from itertools import pairwise
from posixpath import dirname
from typing import TYPE_CHECKING

from cortexfs.core.access_events.payloads.drop_shell_errors import make_response_without_errors
from cortexfs.core.access_events.payloads.tilde_paths import join_path, keep_tilde
from cortexfs.core.access_events.search_output import SearchOutputMode
from cortexfs.core.access_events.tool_call import UNKNOWN_CWD, ToolCall, object_field, text_field

if TYPE_CHECKING:
    from cortexfs.core.access_events.tool_call import JsonObject

_TRUNCATED = re.compile(r"\.\.\.output truncated\.\.\.\n\nFull output saved to: [^\n]*\n\n?")
_NOTICE = "\n<shell_metadata>\n"
"""Before the reason for which OpenCode ended a command."""
_NO_OUTPUT = "(no output)"
_MATCHED_LINE = "  Line "


def read_opencode_tool_call(event: JsonObject) -> ToolCall | None:
    """Return the tool call in an event; None for a tool that shows no text of files."""
    fields = object_field(event, "args") or {}
    response = object_field(event, "output")
    call = ToolCall(
        tool="",
        tool_input={},
        tool_response=response,
        cwd=text_field(event, "directory") or UNKNOWN_CWD,
        session=text_field(event, "sessionID"),
        agent="",
        id=_format_call_id(event),
    )
    match text_field(event, "tool"):
        case "read":
            path = keep_tilde(text_field(fields, "filePath"))
            return call._replace(tool="Read", tool_input={"file_path": path})
        case "bash":
            return _read_shell_call(call, fields)
        case "grep":
            return _read_search_call(call, fields)
    return None


def _format_call_id(event: JsonObject) -> str:
    """Return the id of a call with its session: some models number their calls from 0."""
    session, call = text_field(event, "sessionID"), text_field(event, "callID")
    return f"{session}/{call}" if session and call else call


def _read_shell_call(call: ToolCall, fields: JsonObject) -> ToolCall:
    folder = keep_tilde(text_field(fields, "workdir"))
    return call._replace(
        tool="Bash",
        tool_input={"command": text_field(fields, "command")},
        tool_response=call.tool_response and _read_shell_response(call.tool_response),
        cwd=join_path(call.cwd, folder) if folder else call.cwd,
    )


def _read_shell_response(response: JsonObject) -> JsonObject:
    metadata = object_field(response, "metadata") or {}
    text = text_field(response, "output")
    truncated = _TRUNCATED.match(text)
    shown, notice, _ = text[truncated.end() if truncated else 0 :].partition(_NOTICE)
    return make_response_without_errors(
        "" if shown.strip() == _NO_OUTPUT else shown,
        is_interrupted=bool(notice),
        is_truncated=truncated is not None or metadata.get("truncated") is True,
    )


def _read_search_call(call: ToolCall, fields: JsonObject) -> ToolCall:
    """Return a search as one that lists names."""
    names = _list_headings(text_field(call.tool_response or {}, "output"))
    folder = join_path(call.cwd, keep_tilde(text_field(fields, "path")) or ".")
    if any(not name.startswith(f"{folder.rstrip('/')}/") for name in names):
        folder = dirname(folder)  # for a file OpenCode searches the folder that it is in
    return call._replace(
        tool="Grep",
        tool_input={"path": folder},
        tool_response=call.tool_response
        and {"mode": SearchOutputMode.NAMES.value, "filenames": names},
    )


def _list_headings(output: str) -> list[str]:
    """Return the paths that stand above the matched lines of each file."""
    lines = [line.rstrip("\r") for line in output.split("\n")]
    headings = (
        line.removesuffix(":")
        for line, after in pairwise(lines)
        if line.startswith("/") and line.endswith(":") and after.startswith(_MATCHED_LINE)
    )
    return list(dict.fromkeys(headings))
