"""`cortexfs event` and `cortexfs ps`."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from cortexfs.errors import Refused
from cortexfs.operations.record_event import USER_TYPES, EventFields, spool_event
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place

NOW = {"CORTEXFS_NOW": "2026-05-06T10:00:00Z"}
LATER = {"CORTEXFS_NOW": "2026-05-06T10:30:00Z"}


def processes(place: Place, *words: str, **env: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(place.ok("ps", "--json", *words, **env))["processes"]
    return found


def test_what_an_event_began_runs_until_another_ends_it(tree: Place) -> None:
    tree.ok("event", "prompt", "--session", "s-1", "--text", "tune\nit", "-p", "engine", **NOW)
    tree.ok("event", "task-started", "--session", "s-1", "--agent", "b-1", "--client", "x", **NOW)
    seen = {"session": "s-1", "started": "2026-05-06T10:00:00.000Z",
            "last-seen": "2026-05-06T10:00:00.000Z", "state": "running"}  # fmt: skip
    assert processes(tree, **NOW) == [
        {**seen, "type": "session", "client": "cortexfs", "project": "engine", "text": "tune it"},
        {**seen, "type": "task", "agent": "b-1", "client": "x"},
    ]
    assert {each["state"] for each in processes(tree, **LATER)} == {"silent"}
    tree.ok("event", "session-ended", "--session", "s-1", **LATER)
    assert processes(tree, **LATER) == []
    assert [each["state"] for each in processes(tree, "--all", **LATER)] == ["ended", "ended"]
    ran = tree.run("ps", **LATER)
    assert (ran.code, ran.out, ran.err) == (0, "", "nothing is running\n")


def test_the_table_has_short_ids_and_no_escapes(tree: Place) -> None:
    tree.ok("event", "prompt", "--session", "0123456789abcdef", "--text", "a\x1b[31m" * 99, **NOW)
    row = tree.ok("ps", **NOW).rstrip("\n").split("\t")
    assert row[:2] == ["0123456789ab", "session"]
    assert row[3:6] == ["2026-05-06T10:00:00Z", "2026-05-06T10:00:00Z", "running"]
    assert "\x1b" not in row[6]
    assert len(row[6]) <= 60


def test_the_help_names_each_type_that_can_be_recorded(tree: Place) -> None:
    shown = {word.strip(",.") for word in tree.ok("event", "--help").split()}
    assert set(USER_TYPES) <= shown


def test_an_event_that_finds_no_free_note_is_refused(tree: Place) -> None:
    moment = datetime(2026, 5, 6, 10, tzinfo=UTC)
    session = Session.open(str(tree.root), lambda: moment)
    new = tree.root / ".cortexfs/spool/new"
    spool_event(session, EventFields("prompt", "s"), "/")
    (first,) = new.iterdir()
    nanoseconds, process = first.name.split(".")
    for attempt in range(1, 99):
        (new / f"{int(nanoseconds) + attempt}.{process}").touch()
    spool_event(session, EventFields("prompt", "s"), "/")
    assert session.tree.spool.count_waiting() == 100
    with pytest.raises(Refused, match="too many events"):
        spool_event(session, EventFields("prompt", "s"), "/")


def test_without_a_project_it_is_that_of_the_folder(tree: Place) -> None:
    tree.ok("event", "prompt", "--session", "s", **NOW)
    assert "project" not in processes(tree, **NOW)[0], "the tree itself is no project"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["task-strated", "--agent", "a"], "hint: did you mean `task-started`?"),
        (["flagged", "--agent", "a"], "error: no event type `flagged`"),
        (["task-started"], "hint: add `--agent ID`"),
        (["prompt", "--agent", "a"], "hint: add `--session ID`"),
        (["prompt", "--session", "a\nb"], "error: `--session` must be one line"),
        (["prompt", "--session", "x" * 129], "error: `--session` must be one line"),
        (["prompt", "--session", "s", "--client", "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"],
         "error: `--client` must be one line without secrets"),
    ],
)  # fmt: skip
def test_an_invalid_event_is_a_usage_error(tree: Place, words: list[str], error: str) -> None:
    ran = tree.run("event", *words)
    assert ran.code == 2
    assert error in ran.err
    assert not list((tree.root / ".cortexfs/spool").glob("new/*"))


def test_with_supervision_off_no_event_is_recorded(tree: Place) -> None:
    tree.write("cortexfs.yaml", "supervision: off\n")
    ran = tree.run("event", "prompt", "--session", "s")
    assert (ran.code, "supervision: off" in ran.err) == (3, True)
    assert processes(tree) == []


def test_two_events_at_the_same_time_are_two(tree: Place) -> None:
    for number in range(3):
        tree.ok("event", "task-started", "--agent", f"t{number}", **NOW)
    assert [each["agent"] for each in processes(tree, **NOW)] == ["t0", "t1", "t2"]


def test_what_a_full_log_left_out_is_reported(tree: Place) -> None:
    tree.write(".cortexfs/events/2026-05-06.skipped", "12\n")
    assert "today's event log is full: 12 events not logged" in tree.run("ps", **NOW).err
    tree.write(".cortexfs/events/2026-05-06.skipped", "many\n")
    assert "full" not in tree.run("ps", **NOW).err
