"""What an event is made of: tool, time, session, agent, note."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from recorded_home import TS

from cortexfs.core.access.access_log import AccessEvent
from cortexfs.core.access_events.note_to_access_events import parse_access_events, parse_note_time

if TYPE_CHECKING:
    from recorded_home import RecordedHome

ATOM = "projects/flywheel/experiments/EXP-003.md"


def read(recorded: RecordedHome, path: str = "", **more: object) -> list[AccessEvent]:
    event: dict[str, Any] = {
        "session_id": "s1",
        "cwd": str(recorded.home / "app"),
        "hook_event_name": "PostToolUse",
        "tool_name": "Read",
        "tool_input": {"file_path": path or f"{recorded.context}/{ATOM}"},
    }
    return parse_access_events("17.4", TS, json.dumps(event | more).encode(), recorded.resolver)


def test_an_event_has_its_reader_and_its_time(recorded: RecordedHome) -> None:
    assert read(recorded, agent_id="a1", tool_use_id="toolu_1") == [
        AccessEvent("flywheel", "EXP-003.md", "Read", TS, "s1", "a1", "toolu_1")
    ]


def test_a_call_without_an_id_is_identified_by_its_note(recorded: RecordedHome) -> None:
    assert [event.note for event in read(recorded)] == ["17.4"]


def test_a_secret_in_an_event_is_redacted(recorded: RecordedHome) -> None:
    token = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    for fields in ({"session_id": token}, {"agent_id": token}, {"tool_use_id": token}):
        events = read(recorded, **fields)
        assert len(events) == 1
        assert token not in str(events)
    assert read(recorded, session_id=token)[0].session == "[secret]"
    assert read(recorded, tool_use_id=token)[0].note == "17.4", "calls are still counted apart"


def test_cortexfs_show_is_a_read(recorded: RecordedHome) -> None:
    asked = {"tool_name": "cortexfs", "tool_input": {"file_path": f"{recorded.context}/{ATOM}"}}
    events = parse_access_events("17.4", TS, json.dumps(asked).encode(), recorded.resolver)
    assert events == [AccessEvent("flywheel", "EXP-003.md", "cortexfs", TS, note="17.4")]


@pytest.mark.parametrize("tool", ["Glob", "Edit", "Write", "NotebookEdit", "mcp__x__Read", "", 3])
def test_other_tools_do_not_read(recorded: RecordedHome, tool: object) -> None:
    assert read(recorded, tool_name=tool) == []


@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUseFailure", "PermissionRequest"])
def test_only_a_completed_call_is_a_read(recorded: RecordedHome, event: str) -> None:
    assert read(recorded, hook_event_name=event) == []


@pytest.mark.parametrize(
    "path",
    [
        "{context}/" + ATOM,
        "{context}//projects/./flywheel/knowledge/../experiments/EXP-003.md",
        "//{context}/" + ATOM,
        "../.cortex/context/" + ATOM,
        "~/.cortex/context/" + ATOM,
        "~\\.cortex\\context\\projects\\flywheel\\experiments\\EXP-003.md",
        "{context}\\" + ATOM.replace("/", "\\"),
        "{alias}/context/" + ATOM,
        "link/" + ATOM,
    ],
)
def test_a_path_is_recognized_in_every_spelling(recorded: RecordedHome, path: str) -> None:
    (recorded.home / "alias").symlink_to(recorded.home / ".cortex")
    (recorded.home / "app/link").symlink_to(recorded.context)
    spelling = path.format(context=recorded.context, alias=recorded.home / "alias")
    assert [event.file for event in read(recorded, spelling)] == ["EXP-003.md"]


@pytest.mark.parametrize(
    "path",
    [
        ATOM,
        "{context}-old/" + ATOM,
        "{context}/projects/flywheel/experiments",
        "{context}/projects/flywheel/experiments/index.md",
        "{context}",
        "/",
        "~",
        "~root/" + ATOM,
        "{context}/" + ATOM + "\0",
        "{context}/\ud800/../" + ATOM,
        "x/" * 5000 + ATOM,
    ],
)
def test_a_path_to_no_atom_is_not_a_read(recorded: RecordedHome, path: str) -> None:
    assert read(recorded, path.format(context=recorded.context)) == []


def test_a_relative_path_needs_a_working_directory(recorded: RecordedHome) -> None:
    assert read(recorded, f"../.cortex/context/{ATOM}", cwd=None) == []


def test_the_name_of_a_note_contains_its_time() -> None:
    assert parse_note_time("1777630830456999999.4711") == "2026-05-01T10:20:30.456Z"
    assert parse_note_time("0.1") == "1970-01-01T00:00:00.000Z"


@pytest.mark.parametrize("name", ["", "x", "1.2.3", "-1.2", "1.", "9" * 21 + ".1"])
def test_a_note_without_a_time_in_its_name_reads_nothing(recorded: RecordedHome, name: str) -> None:
    asked = {"tool_name": "cortexfs", "tool_input": {"file_path": f"{recorded.context}/{ATOM}"}}
    assert parse_note_time(name) == ""
    assert (
        parse_access_events(
            name, parse_note_time(name), json.dumps(asked).encode(), recorded.resolver
        )
        == []
    )
