"""What an event is made of: tool, time, session, agent, note."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from desk import TS

from cortexfs.core.access.access_log import AccessEvent
from cortexfs.core.access_events.parse_events import parse_access_events, parse_note_time

if TYPE_CHECKING:
    from desk import Desk

ATOM = "projects/flywheel/experiments/EXP-003.md"


def read(desk: Desk, path: str = "", **more: object) -> list[AccessEvent]:
    event: dict[str, Any] = {
        "session_id": "s1",
        "cwd": str(desk.home / "app"),
        "hook_event_name": "PostToolUse",
        "tool_name": "Read",
        "tool_input": {"file_path": path or f"{desk.context}/{ATOM}"},
    }
    return parse_access_events("17.4", TS, json.dumps(event | more).encode(), desk.around)


def test_an_event_has_its_reader_and_its_time(desk: Desk) -> None:
    assert read(desk, agent_id="a1", tool_use_id="toolu_1") == [
        AccessEvent("flywheel", "EXP-003.md", "Read", TS, "s1", "a1", "toolu_1")
    ]


def test_a_call_without_an_id_is_identified_by_its_note(desk: Desk) -> None:
    assert [event.note for event in read(desk)] == ["17.4"]


def test_cortexfs_show_is_a_read(desk: Desk) -> None:
    asked = {"tool_name": "cortexfs", "tool_input": {"file_path": f"{desk.context}/{ATOM}"}}
    events = parse_access_events("17.4", TS, json.dumps(asked).encode(), desk.around)
    assert events == [AccessEvent("flywheel", "EXP-003.md", "cortexfs", TS, note="17.4")]


@pytest.mark.parametrize("tool", ["Glob", "Edit", "Write", "NotebookEdit", "mcp__x__Read", "", 3])
def test_other_tools_do_not_read(desk: Desk, tool: object) -> None:
    assert read(desk, tool_name=tool) == []


@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUseFailure", "PermissionRequest"])
def test_only_a_completed_call_is_a_read(desk: Desk, event: str) -> None:
    assert read(desk, hook_event_name=event) == []


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
def test_a_path_is_recognized_in_every_spelling(desk: Desk, path: str) -> None:
    (desk.home / "alias").symlink_to(desk.home / ".cortex")
    (desk.home / "app/link").symlink_to(desk.context)
    spelt = path.format(context=desk.context, alias=desk.home / "alias")
    assert [event.file for event in read(desk, spelt)] == ["EXP-003.md"]


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
def test_a_path_to_no_atom_is_not_a_read(desk: Desk, path: str) -> None:
    assert read(desk, path.format(context=desk.context)) == []


def test_a_relative_path_needs_a_working_directory(desk: Desk) -> None:
    assert read(desk, f"../.cortex/context/{ATOM}", cwd=None) == []


def test_the_name_of_a_note_contains_its_time() -> None:
    assert parse_note_time("1777630830456999999.4711") == "2026-05-01T10:20:30.456Z"
    assert parse_note_time("0.1") == "1970-01-01T00:00:00.000Z"


@pytest.mark.parametrize("name", ["", "x", "1.2.3", "-1.2", "1.", "9" * 21 + ".1"])
def test_a_note_without_a_time_in_its_name_reads_nothing(desk: Desk, name: str) -> None:
    asked = {"tool_name": "cortexfs", "tool_input": {"file_path": f"{desk.context}/{ATOM}"}}
    assert parse_note_time(name) == ""
    assert (
        parse_access_events(name, parse_note_time(name), json.dumps(asked).encode(), desk.around)
        == []
    )
