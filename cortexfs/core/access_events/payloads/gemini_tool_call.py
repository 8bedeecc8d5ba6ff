"""Read an event of Gemini CLI: `AfterTool`, also sent for calls that failed."""

from __future__ import annotations

import re
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from cortexfs.core.access_events.payloads.gemini_shell_output import read_shell_response
from cortexfs.core.access_events.payloads.tilde_paths import join_path, keep_tilde
from cortexfs.core.access_events.search_output import SearchOutputMode
from cortexfs.core.access_events.tool_call import UNKNOWN_CWD, ToolCall, object_field, text_field

if TYPE_CHECKING:
    from cortexfs.core.access_events.tool_call import JsonObject

_MAX_NAMES = 5000
"""Maximum names of one answer; the client gives a hundred unless the model asks for more."""

_SEARCH_TOOLS = frozenset({"grep_search", "search_file_content"})
_FOUND = re.compile(r"(?:Found \d+ (?:match|matches|files with matches)|No matches found) for ")
_PART = re.compile(r"\s{0,9}IMPORTANT: [^\n]*\nStatus: Showing lines (\d{1,9})-(\d{1,9}) of ")
_WORKSPACE = " workspace directories"
"""In the answer of a search of all folders that the client was given; it does not list them."""


def read_gemini_tool_call(event: JsonObject) -> ToolCall | None:
    """Return the tool call in an event; None for one that failed, or of a tool that shows no text.

    The events have no id of the call.
    """
    fields = object_field(event, "tool_input") or {}
    response = object_field(event, "tool_response")
    if (response or {}).get("error") or event.get("mcp_context"):
        return None
    call = ToolCall(
        tool="",
        tool_input={},
        tool_response=response,
        cwd=text_field(event, "cwd") or UNKNOWN_CWD,
        session=text_field(event, "session_id"),
        agent="",
        id="",
    )
    tool = text_field(event, "tool_name")
    if tool == "read_file":
        return _read_file_call(call, fields)
    if tool == "run_shell_command":
        return _read_shell_call(call, fields)
    return _read_search_call(call, fields) if tool in _SEARCH_TOOLS else None


def _read_file_call(call: ToolCall, fields: JsonObject) -> ToolCall | None:
    path = text_field(fields, "file_path") or text_field(fields, "absolute_path")
    part = _PART.match(text_field(call.tool_response or {}, "llmContent"))
    if part and int(part[1]) > int(part[2]):
        return None
    return call._replace(tool="Read", tool_input={"file_path": keep_tilde(path)})


def _read_shell_call(call: ToolCall, fields: JsonObject) -> ToolCall | None:
    folder = keep_tilde(text_field(fields, "dir_path") or text_field(fields, "directory"))
    if fields.get("is_background"):
        return None
    return call._replace(
        tool="Bash",
        tool_input={"command": text_field(fields, "command")},
        tool_response=call.tool_response and read_shell_response(call.tool_response),
        cwd=join_path(call.cwd, folder) if folder else call.cwd,
    )


def _read_search_call(call: ToolCall, fields: JsonObject) -> ToolCall | None:
    """Return a search as one that lists names; None if it failed."""
    answer = text_field(call.tool_response or {}, "llmContent")
    if not _FOUND.match(answer):
        return None
    folder = keep_tilde(text_field(fields, "dir_path") or text_field(fields, "path"))
    covers_workspace = not folder and _WORKSPACE in answer.partition("\n")[0]
    names = _list_matched_paths(call.tool_response or {})
    if not names and not covers_workspace:
        start = join_path(call.cwd, folder or ".")
        names = [join_path(start, name) for name in _list_printed_names(answer)]
    return call._replace(
        tool="Grep",
        tool_input={"path": "/" if covers_workspace else folder or "."},
        tool_response={
            "mode": SearchOutputMode.NAMES.value,
            "filenames": list(dict.fromkeys(names)),
        },
    )


def _list_matched_paths(response: JsonObject) -> list[str]:
    """Return the absolute paths of the matches, which a search for names leaves empty."""
    matches = (object_field(response, "returnDisplay") or {}).get("matches")
    return [
        text_field(found, "absolutePath")
        for found in (matches if isinstance(matches, list) else ())
        if isinstance(found, dict)
    ]


def _list_printed_names(answer: str) -> list[str]:
    """Return the names in an answer: one on a line, or before the lines of a file."""
    if not answer.startswith("Found "):
        return []
    lines = [line.rstrip("\r") for line in answer.split("\n")[1:]]
    if lines[:1] == ["---"]:
        lines = [
            line.removeprefix("File: ")
            for before, line in pairwise(lines)
            if before == "---" and line.startswith("File: ")
        ]
    return list(islice(dict.fromkeys(lines), _MAX_NAMES))
