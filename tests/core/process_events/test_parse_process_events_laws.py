"""Parsing any note raises nothing, and gives few, short, printable events that read back."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.access_events.payloads.parse_tool_call import parse_event_object
from cortexfs.core.process_events.edited_paths import Places, WorkingFolder
from cortexfs.core.process_events.parse_process_events import MAX_EVENTS, parse_process_events
from cortexfs.core.process_events.process_event import (
    MAX_TEXT_CHARS,
    format_event_line,
    parse_event_line,
)

TS = "2026-05-06T10:00:00.000Z"
PLACES = Places(("/t",), ("/h",), lambda folder: WorkingFolder("p", folder[:3]))
TEXTS = st.text(max_size=20) | st.sampled_from(
    ["<private>", "</private>", "<task-notification><task-id>x</task-id>", "*** Begin Patch\n",
     "<cortex-memory>", "/h/x", "~/x", "../../x", "\0", "\ud800", "\u2028", "id", "running"]
)  # fmt: skip
NAMES = st.sampled_from(
    ["SessionStart", "SessionEnd", "UserPromptSubmit", "BeforeAgent", "Stop", "AfterAgent",
     "PreCompact", "SubagentStart", "SubagentStop", "PostToolUse", "PostToolUseFailure",
     "AfterTool", "tool.execute.after", "session.created", "chat.message", "cortexfs.event"]
)  # fmt: skip
KEYS = st.sampled_from(
    ["session_id", "agent_id", "agent_type", "cwd", "prompt", "source", "tool_name", "tool_input",
     "tool_response", "file_path", "command", "background_tasks", "properties", "info", "parts",
     "id", "status", "event", "text", "project", "client", "backgroundTaskId", "metadata", "exit",
     "output", "args", "tool", "error", "timestamp", "description", "task_id"]
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=12,
)
EVENTS = st.builds(
    lambda name, fields: {"hook_event_name": name, **fields},
    NAMES | JSON,
    st.dictionaries(KEYS, JSON, max_size=8),
)


def check(payload: bytes) -> None:
    events = parse_process_events("17.4", TS, parse_event_object(payload), PLACES)
    assert len(events) <= MAX_EVENTS
    assert len({event.note for event in events}) == len(events)
    for event in events:
        assert len(event.text) <= MAX_TEXT_CHARS
        line = format_event_line(event)
        assert line.count("\n") == 1
        assert parse_event_line(line) == event
        line.encode()
        assert all(each == " " or each.isprintable() or ord(each) > 127 for each in line[:-1])


@given(EVENTS)
def test_any_event_is_parsed(event: Any) -> None:
    check(json.dumps(event).encode())


@given(st.binary(max_size=200), EVENTS, st.integers(0, 400))
def test_any_bytes_are_parsed(tail: bytes, event: Any, cut: int) -> None:
    check(json.dumps(event).encode()[:cut] + tail)
