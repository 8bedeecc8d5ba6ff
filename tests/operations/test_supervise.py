"""A pass of supervision flags each overdue process once, and stops it only as the user says."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from cortexfs.core.process_events.agent_process import AgentProcess, ProcessType
from cortexfs.operations.record_event import EventFields, spool_event
from cortexfs.operations.supervise import MAX_GAP_S, supervise
from cortexfs.session.run_stop_command import run_stop_command
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from place import Place

    from cortexfs.operations.supervise import SupervisionReport

START = datetime(2026, 5, 6, 10, tzinfo=UTC)


class Supervisor:
    """A session whose clock a test sets."""

    def __init__(self, place: Place) -> None:
        self.now = START
        self.session = Session.open(str(place.root), lambda: self.now)

    def record(self, minute: float, kind: str, agent: str, session: str = "s") -> None:
        self.now = START + timedelta(minutes=minute)
        spool_event(self.session, EventFields(kind, session, agent), "/")

    def pass_at(self, minute: float) -> SupervisionReport:
        self.now = START + timedelta(minutes=minute)
        return supervise(self.session, os.environ)


@pytest.fixture
def supervisor(tree: Place) -> Iterator[Supervisor]:
    made = Supervisor(tree)
    made.record(0, "task-started", "t-1")
    made.record(0, "agent-started", "a-1")
    made.pass_at(0)
    yield made
    made.session.close()


def configure(world: Path, line: str) -> None:
    folder = world / ".config/cortexfs"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.yaml").write_text(line)


def write_program(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_each_is_flagged_once(supervisor: Supervisor) -> None:
    assert supervisor.pass_at(9).flagged == ()
    assert supervisor.pass_at(11).format_lines() == ["flagged task t-1: no sign of life for 11 min"]
    assert supervisor.pass_at(12).flagged == ()
    assert supervisor.pass_at(31).format_lines() == ["flagged sub-agent a-1: running for 31 min"]
    supervisor.record(32, "task-status", "t-1")
    assert supervisor.pass_at(33).flagged == ()
    assert len(supervisor.pass_at(43).flagged) == 1


def test_without_a_command_nothing_is_stopped(supervisor: Supervisor, world: Path) -> None:
    configure(world, "commit-in: [/x]\n")
    (flagged,) = supervisor.pass_at(11).flagged
    assert (flagged.is_stopped, flagged.stop_error) == (False, "")


def test_the_command_of_the_user_stops_what_was_flagged(
    supervisor: Supervisor, world: Path, tmp_path: Path
) -> None:
    program = write_program(tmp_path / "stop", f'echo "$@" $SECRET >> {tmp_path}/stopped')
    configure(world, f'stop-command: [{program}, "--session={{session}}", "{{agent}}"]\n')
    os.environ["SECRET"] = "key"
    try:
        assert supervisor.pass_at(11).format_lines() == [
            "flagged task t-1: no sign of life for 11 min, stopped"
        ]
        supervisor.pass_at(12)
    finally:
        del os.environ["SECRET"]
    assert (tmp_path / "stopped").read_text() == "--session=s t-1\n"


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("stop-command: [/nonexistent/stop]\n", "/nonexistent/stop: No such file or directory"),
        ("stop-command: [/bin/false]\n", "/bin/false ended with exit code 1"),
        ("stop-command: rm -rf x\n", "`stop-command` must be a list: the absolute path"),
    ],
)
def test_a_command_that_fails_is_reported(
    supervisor: Supervisor, world: Path, line: str, error: str
) -> None:
    configure(world, line)
    (flagged,) = supervisor.pass_at(11).flagged
    assert not flagged.is_stopped
    assert flagged.stop_error.startswith(error)


def test_a_command_that_hangs_is_killed(world: Path, tmp_path: Path) -> None:
    configure(world, f"stop-command: [{write_program(tmp_path / 'stop', 'sleep 60')}]\n")
    task = AgentProcess(ProcessType.TASK, "s", "t", "c", "p", "", "")
    assert run_stop_command(task, os.environ, 0.05).endswith("and was killed")


def test_a_tree_cannot_name_a_command(supervisor: Supervisor, tree: Place, tmp_path: Path) -> None:
    program = write_program(tmp_path / "stop", f"touch {tmp_path}/stopped")
    tree.write("cortexfs.yaml", f"supervision:\n  stop-command: [{program}]\n")
    tree.write("config.yaml", f"stop-command: [{program}]\n")
    assert len(supervisor.pass_at(11).flagged) == 1
    assert not (tmp_path / "stopped").exists()


def test_settings_that_others_can_write_stop_nothing(
    supervisor: Supervisor, world: Path, tmp_path: Path
) -> None:
    program = write_program(tmp_path / "stop", f"touch {tmp_path}/stopped")
    configure(world, f"stop-command: [{program}]\n")
    (world / ".config/cortexfs/config.yaml").chmod(0o666)
    (flagged,) = supervisor.pass_at(11).flagged
    assert flagged.stop_error.startswith("other users can write ")
    assert not (tmp_path / "stopped").exists()


def test_events_that_may_come_from_a_clone_stop_nothing(
    supervisor: Supervisor, tree: Place, world: Path, tmp_path: Path
) -> None:
    program = write_program(tmp_path / "stop", f"touch {tmp_path}/stopped")
    configure(world, f"stop-command: [{program}]\n")
    tree.git("add", "-f", ".cortexfs/events")
    (flagged,) = supervisor.pass_at(11).flagged
    assert flagged.stop_error.startswith("git tracks .cortexfs")
    assert not (tmp_path / "stopped").exists()


@pytest.mark.parametrize("minute", [11 + MAX_GAP_S / 60, -11])
def test_after_a_long_pause_or_a_jump_of_the_clock_a_pass_only_observes(
    supervisor: Supervisor, minute: float
) -> None:
    supervisor.record(minute - 20 if minute > 0 else -40, "task-started", "t-2")
    assert supervisor.pass_at(minute).skipped_reason == "no pass before, or a long pause"
    assert supervisor.pass_at(minute + 0.5).skipped_reason == ""


def test_with_a_backlog_of_notes_a_pass_only_observes(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    supervisor.record(10, "task-status", "t-1")
    with monkeypatch.context() as patched:
        patched.setattr(Session, "drain_spool", lambda *_: None)
        assert supervisor.pass_at(11).skipped_reason == "notes wait that could not be logged"
    assert supervisor.pass_at(11.5).flagged == ()


def test_with_supervision_off_nothing_is_flagged(supervisor: Supervisor, tree: Place) -> None:
    tree.write("cortexfs.yaml", "supervision: off\n")
    assert supervisor.pass_at(11).skipped_reason == "supervision is off"
