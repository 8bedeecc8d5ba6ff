"""The event of a hook in one form for all clients: its name, client, session and folder."""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

from cortexfs.core.access_events.tool_call import JsonObject, object_field, text_field

OWN_EVENT = "cortexfs.event"
"""The `hook_event_name` of a note that `cortexfs event` writes."""

_NAMES = {
    "BeforeAgent": "UserPromptSubmit",
    "AfterAgent": "Stop",
    "chat.message": "UserPromptSubmit",
    "session.created": "SessionStart",
    "session.deleted": "SessionEnd",
    "session.idle": "Stop",
    "session.compacted": "PreCompact",
    "tool.execute.after": "PostToolUse",
}
"""The names that Claude Code has for the events of Gemini CLI and OpenCode."""
_OPENCODE_NAMES = frozenset(name for name in _NAMES if "." in name)
_OPENCODE_ARGUMENTS = {"filePath": "file_path", "patchText": "command"}
_OPENCODE_SESSION = "ses_"
"""The beginning of OpenCode's ids of sessions: its plugin also sends events with other names."""
_SHELL_TOOLS = {"Bash", "bash", "run_shell_command"}
_EMPTY: JsonObject = MappingProxyType({})


class ClientEvent(NamedTuple):
    """One event, with the names of Claude Code.

    `name` is the event's (`SessionStart`, `PostToolUse`, …), `fields` are all others. `agent` is
    the id of a sub-agent. `has_failed` is about a tool call; `shell_command` is empty for calls of
    other tools than the shell.
    """

    name: str
    client: str
    session: str
    agent: str
    cwd: str
    fields: JsonObject
    tool: str = ""
    tool_input: JsonObject = _EMPTY
    has_failed: bool = False

    @property
    def shell_command(self) -> str:
        """The command of a call of the shell."""
        return text_field(self.tool_input, "command") if self.tool in _SHELL_TOOLS else ""


def read_client_event(event: JsonObject) -> ClientEvent:
    """Return an event in this form. The client is recognized by the form of its event."""
    name = text_field(event, "hook_event_name") or text_field(event, "type")
    if "callID" in event and not name:
        name = "tool.execute.after"
    if name in _OPENCODE_NAMES:
        return _read_opencode_event(name, event)
    tool_input = object_field(event, "tool_input") or _EMPTY
    has_failed = name == "PostToolUseFailure"
    if name == "AfterTool":
        has_failed = bool((object_field(event, "tool_response") or {}).get("error"))
    tool_event = "PostToolUseFailure" if has_failed else "PostToolUse"
    return ClientEvent(
        name=tool_event if name == "AfterTool" else _NAMES.get(name, name),
        client=_recognize_client(name, event),
        session=text_field(event, "session_id"),
        agent=text_field(event, "agent_id"),
        cwd=text_field(event, "cwd"),
        fields=event,
        tool=text_field(event, "tool_name"),
        tool_input=tool_input,
        has_failed=has_failed,
    )


def _recognize_client(name: str, event: JsonObject) -> str:
    if name == OWN_EVENT:
        return text_field(event, "client") or "cortexfs"
    if text_field(event, "session_id").startswith(_OPENCODE_SESSION):
        return "opencode"
    if name in {"BeforeAgent", "AfterAgent", "AfterTool"} or "timestamp" in event:
        return "gemini"
    transcript = text_field(event, "transcript_path")
    is_codex = "turn_id" in event or "/rollout-" in transcript or "/.codex/" in transcript
    return "codex" if is_codex or isinstance(event.get("tool_response"), str) else "claude-code"


def _read_opencode_event(name: str, event: JsonObject) -> ClientEvent:
    """Return what a plugin of OpenCode forwards: a tool call, or an event with its properties."""
    properties = object_field(event, "properties") or event
    about = object_field(properties, "info") or properties
    parent = text_field(about, "parentID")
    session = text_field(about, "id") or text_field(properties, "sessionID")
    arguments = object_field(event, "args") or {}
    metadata = object_field(object_field(event, "output") or {}, "metadata") or {}
    has_failed = text_field(event, "tool") == "bash" and metadata.get("exit") not in {None, 0}
    names = _NAMES | ({"tool.execute.after": "PostToolUseFailure"} if has_failed else {})
    return ClientEvent(
        name=_OPENCODE_CHILD_NAMES.get(names[name], names[name]) if parent else names[name],
        client="opencode",
        session=parent or session,
        agent=session if parent else "",
        cwd=text_field(event, "directory") or text_field(about, "directory"),
        fields=properties,
        tool=text_field(event, "tool"),
        tool_input={_OPENCODE_ARGUMENTS.get(key, key): arguments[key] for key in arguments},
        has_failed=has_failed,
    )


_OPENCODE_CHILD_NAMES = {"SessionStart": "SubagentStart", "SessionEnd": "SubagentStop"}
"""A session of OpenCode with a parent is a sub-agent of it."""
