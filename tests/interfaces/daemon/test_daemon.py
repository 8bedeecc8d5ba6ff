"""The daemon as a real process: what it does, one at a time, and whatever happens to it."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any

import pytest
from soak_cases import leave_to_soak
from tree_strategies import open_session

from cortexfs.core.daemon.daemon_state import parse_daemon_state
from cortexfs.session import daemon_socket, watched_catalog
from cortexfs.session.daemon_files import find_daemon
from cortexfs.session.daemon_socket import ask_daemon
from cortexfs.tree import scan_folders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from place import Place

DEADLINE_S = 60
ATOM = "projects/driftwood/experiments/EXP-{0}.md"
TEXT = """---
id: EXP-{0}
date: 2026-03-01
project: driftwood
summary: {1}
tags: [a]
---

body
"""


def wait_until(is_true: Callable[[], object], what: str) -> None:
    """Wait for another process; its own deadline names what did not come."""
    deadline, pause = time.monotonic() + DEADLINE_S, threading.Event()
    while not is_true():
        assert time.monotonic() < deadline, what
        pause.wait(0.01)


def list_open_files(pid: int) -> set[str]:
    """Return what a process has open; what it closes meanwhile may be missing."""
    held = set[str]()
    for each in os.listdir(f"/proc/{pid}/fd"):
        with suppress(FileNotFoundError):
            held.add(os.readlink(f"/proc/{pid}/fd/{each}"))
    return held


def command(place: Place, *words: str) -> list[str]:
    return [sys.executable, "-m", "cortexfs", "--root", str(place.root), "daemon", *words]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "CORTEXFS_DRAIN_QUIET": "0", **more}


@contextmanager
def daemon(
    place: Place,
    before: Callable[[], None] | None = None,
    stderr: Any = subprocess.PIPE,
    **more: str,
) -> Iterator[Any]:
    """Run the daemon in the foreground; yield it when everything is prepared."""
    with subprocess.Popen(
        command(place, "run"),
        env=environment(**more),
        stderr=stderr,
        text=True,
        preexec_fn=before,  # noqa: PLW1509 - no thread holds a lock here
    ) as running:
        try:
            wait_until(lambda: running.poll() is not None or is_prepared(place), "warm-up")
            yield running
        finally:
            running.kill()


def status(place: Place) -> Any:
    return json.loads(place.run("daemon", "status", "--json").out)["daemon"]


def is_prepared(place: Place) -> bool:
    state = parse_daemon_state(ask_daemon(str(place.root), "status", 1.0))
    return state is not None and state.warm_up.state in {"warm", "degraded"}


def is_running(place: Place) -> bool:
    return find_daemon(str(place.root)) is not None


def write_atom(place: Place, number: int, summary: str = "walrus") -> None:
    place.write(ATOM.format(number), TEXT.format(number, summary))


def is_indexed(place: Place, *numbers: int) -> bool:
    index = place.read("projects/driftwood/experiments/index.md")
    return all(f"EXP-{number}" in index for number in numbers)


def test_changes_and_notes_are_processed_and_the_state_is_shown(sample: Place) -> None:
    with daemon(sample) as running:
        write_atom(sample, 701)
        wait_until(lambda: is_indexed(sample, 701), "the index")
        wait_until(lambda: "regenerate" in sample.git("log", "-1"), "the commit")
        sample.write(".cortexfs/spool/new/1.1", "{}")
        wait_until(lambda: not (sample.root / ".cortexfs/spool/new/1.1").exists(), "the drain")
        sample.write(".cortexfs/injection/cold", "one\ntwo\n")
        sample.write("cortexfs.yaml", "daemon:\n  bulletin: 77s\n")
        stored = sample.root / ".cortexfs/daemon.json"
        wait_until(lambda: json.loads(stored.read_text())["refresh_s"] == 77, "the settings")
        shown = status(sample)
        assert (shown["running"], shown["answered"], shown["pid"]) == (True, True, running.pid)
        assert (shown["warm-up"], shown["watch"]) == ({"state": "warm"}, "events")
        assert (shown["cold-dispatches"], shown["backlog"]) == (2, 0)
        assert shown["watched-files"] > 10
        jobs = {job["name"]: job for job in shown["jobs"]}
        assert all(jobs[name]["last-success"] for name in ("warm-up", "catalog", "indexes"))
        assert not any(job["failures"] for job in jobs.values())
        metrics = sample.ok("daemon", "status", "--metrics")
        assert 'cortexfs_daemon_warm_up_state{state="warm"} 1' in metrics
        assert "walrus" in sample.ok("find", "walrus")
        running.send_signal(signal.SIGTERM)
        assert running.wait(DEADLINE_S) == 0
    assert not status(sample)["running"]


def test_start_returns_one_daemon_and_stop_ends_it(sample: Place) -> None:
    kept, other = os.pipe()  # what an agent left open must not stay open for days
    with ExitStack() as stack:
        stack.callback(os.close, other)
        both = [
            stack.enter_context(
                subprocess.Popen(
                    command(sample, "start", "--json"),
                    env=environment(),
                    stdout=subprocess.PIPE,
                    pass_fds=[kept],
                )
            )
            for _ in range(2)
        ]
        answers = [json.loads(each.communicate()[0])["daemon"] for each in both]
    try:
        assert answers[0]["pid"] == answers[1]["pid"]
        held = list_open_files(answers[0]["pid"])
        assert f"pipe:[{os.fstat(kept).st_ino}]" not in held
        assert sum(each["started"] for each in answers) == 1
        assert sample.ok("daemon", "start") == f"already running (pid {answers[0]['pid']})\n"
        ran = sample.run("daemon", "run")
        assert (ran.code, str(answers[0]["pid"]) in ran.err) == (4, True)
    finally:
        stopped = json.loads(sample.ok("daemon", "stop", "--json"))["daemon"]
    assert (stopped["stopped"], stopped["by"]) == (True, "socket")
    assert not is_running(sample)
    assert sample.ok("daemon", "stop") == "not running\n"
    os.close(kept)


def test_a_killed_daemon_leaves_nothing_that_hinders_the_next_one(sample: Place) -> None:
    with daemon(sample) as running:
        write_atom(sample, 701)
        running.kill()
        running.wait()
        assert not is_running(sample)
        assert (sample.root / ".cortexfs/daemon.sock").exists()
        assert sample.run("daemon", "status").code == 1
        for number in range(702, 720):
            write_atom(sample, number)
    sample.write(".cortexfs/.cortexfs-draft.daemon.json", "killed while it stored its state")
    left = sample.write(".cortexfs/.cortexfs-draft.1.0badf00d", "of any process")
    os.utime(left, (0, 0))
    with daemon(sample):
        assert is_indexed(sample, *range(701, 720))
        assert status(sample)["answered"]
        assert not list(sample.root.rglob(".cortexfs-draft.*.json"))
        assert not left.exists()


@pytest.mark.soak
def test_a_suspended_daemon_is_done_without_and_continues(sample: Place) -> None:
    with daemon(sample) as running:
        wait_until(lambda: has_run_all_jobs(sample), "the first jobs")  # else it may hold locks
        running.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, running.pid, os.WSTOPPED | os.WNOWAIT)
        began = time.monotonic()
        shown = status(sample)
        assert (shown["running"], shown["answered"], shown["pid"]) == (True, False, running.pid)
        assert time.monotonic() - began < DEADLINE_S
        write_atom(sample, 701)
        assert "EXP-701" in sample.ok("find", "walrus")  # nothing needs the daemon
        running.send_signal(signal.SIGCONT)
        wait_until(lambda: is_indexed(sample, 701), "the index")
        assert status(sample)["answered"]


def test_hostile_requests_harm_nothing(sample: Place) -> None:
    root = str(sample.root)
    address = str(sample.root / ".cortexfs/daemon.sock")
    with daemon(sample), ExitStack() as stack:
        assert (sample.root / ".cortexfs/daemon.sock").stat().st_mode & 0o777 == 0o600

        def connect() -> socket.socket:
            connection = stack.enter_context(socket.socket(socket.AF_UNIX))
            connection.settimeout(DEADLINE_S)
            connection.connect(address)
            return connection

        for sent in (b"x" * 5000, b"\0\xff\n", b"status", b"stop please\n", b"\n", b"{" * 65):
            connection = connect()
            with suppress(OSError):  # it is closed as soon as it is too long
                connection.sendall(sent)
            connection.close()
        connect().sendall(b"stat")  # and never the rest
        for _ in range(20):
            connect()
        with suppress(OSError):
            connect().sendall(b"reboot\n")
        wait_until(lambda: ask_daemon(root, "status", 1.0), "an answer")  # slow ones are cut off
        assert parse_daemon_state(ask_daemon(root, "status", 1.0))


@pytest.mark.soak
def test_a_root_of_any_length_has_a_socket(sample: Place) -> None:
    deep = sample.root.parent / ("d" * 60) / ("e" * 60) / ("f f%" * 15)
    deep.parent.mkdir(parents=True)
    shutil.move(sample.root, deep)
    place = type(sample)(deep)
    with daemon(place) as running:
        assert (len(str(deep)) > 200, status(place)["answered"]) == (True, True)
        assert json.loads(place.ok("daemon", "stop", "--json"))["daemon"]["by"] == "socket"
        assert running.wait(DEADLINE_S) == 0


def fill_disk() -> None:
    """Allow no file of this process to grow, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


@pytest.mark.soak
def test_on_a_full_disk_the_daemon_reports_and_stops_as_asked(sample: Place) -> None:
    sample.ok("list")  # the catalog exists
    write_atom(sample, 701)
    with daemon(sample, before=fill_disk) as running:
        state = parse_daemon_state(ask_daemon(str(sample.root), "status", 1.0))
        assert state
        assert state.warm_up.state == "degraded"
        assert state.warm_up.error
        running.send_signal(signal.SIGTERM)
        assert running.wait(DEADLINE_S) == 0
        said = running.stderr.read()
    assert "Traceback" not in said
    assert said.count("the state is not stored") == 1
    with daemon(sample):
        assert is_indexed(sample, 701)
        assert status(sample)["warm-up"]["state"] == "warm"


@pytest.mark.soak
def test_a_daemon_whose_log_cannot_be_written_goes_on(sample: Place) -> None:
    with (
        open("/dev/full", "w") as full,
        daemon(sample, before=fill_disk, stderr=full) as running,
    ):
        assert is_prepared(sample)
        running.send_signal(signal.SIGTERM)
        assert running.wait(DEADLINE_S) in {0, 120}  # 120: Python could not flush the stream


@pytest.mark.soak
def test_when_a_full_disk_has_space_again_the_daemon_recovers(sample: Place) -> None:
    sample.ok("list")  # the catalog exists
    with daemon(sample, before=fill_disk) as running:
        assert not is_indexed(sample, 701)
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(running.pid, resource.RLIMIT_FSIZE, unlimited)
        write_atom(sample, 701)
        wait_until(lambda: is_indexed(sample, 701), "the index")
        wait_until(lambda: status(sample)["warm-up"]["state"] == "warm", "the warm-up")


def has_run_all_jobs(place: Place) -> bool:
    """Return whether each job that runs at the start has ended."""
    jobs = {job["name"]: job for job in status(place)["jobs"]}
    return not any(job["running"] for job in jobs.values()) and jobs["patterns"]["runs"] > 0


@pytest.mark.parametrize("how", leave_to_soak(["moved", "replaced"], every=2))
def test_a_daemon_whose_tree_has_gone_exits_and_writes_nothing(sample: Place, how: str) -> None:
    elsewhere = sample.root.parent / "elsewhere"
    with daemon(sample) as running:
        wait_until(lambda: has_run_all_jobs(sample), "the first run of each job")
        sample.root.rename(elsewhere)
        if how == "replaced":
            sample.root.mkdir()
        (elsewhere / "note.md").touch()
        assert running.wait(DEADLINE_S) == 3
        assert "replaced" in running.stderr.read()
    assert how == "moved" or not [*sample.root.iterdir()]


@pytest.mark.soak
def test_a_daemon_whose_private_folder_has_gone_exits_so_that_there_are_never_two(
    sample: Place,
) -> None:
    with daemon(sample) as running:
        shutil.rmtree(sample.root / ".cortexfs", ignore_errors=True)
        assert running.wait(DEADLINE_S) == 3
        assert "lock" in running.stderr.read()
    with daemon(sample):
        assert status(sample)["answered"]


def test_a_daemon_with_nothing_to_do_exits(sample: Place) -> None:
    sample.write("cortexfs.yaml", "daemon:\n  idle-exit: 1s\n")
    with daemon(sample) as running:
        assert running.wait(DEADLINE_S) == 0
        assert "nothing has happened" in running.stderr.read()


@pytest.mark.soak
def test_background_processes_that_are_disabled_are_not_started(sample: Place) -> None:
    ran = sample.run("daemon", "start")
    assert (ran.code, "CORTEXFS_DRAIN_QUIET" in ran.err) == (3, True)
    assert not is_running(sample)


@pytest.mark.soak
def test_a_service_manager_learns_that_the_daemon_works_and_stops(
    sample: Place, tmp_path: Path
) -> None:
    address = tmp_path / "n"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(address))
        manager.settimeout(DEADLINE_S)
        with daemon(sample, NOTIFY_SOCKET=str(address), WATCHDOG_USEC="200000") as running:
            assert manager.recv(100) == b"READY=1"
            assert [manager.recv(100) for _ in range(3)] == [b"WATCHDOG=1"] * 3
            running.send_signal(signal.SIGTERM)
            assert running.wait(DEADLINE_S) == 0
            while (message := manager.recv(100)) == b"WATCHDOG=1":
                pass
            assert message == b"STOPPING=1"


def test_a_process_beside_it_scans_nothing(sample: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched_catalog, "MIN_ASKED_FILES", 1)
    ask = daemon_socket.ask_socket  # on a busy machine the answer comes late
    monkeypatch.setattr(daemon_socket, "ask_socket", lambda *args: ask(*args[:3], DEADLINE_S))
    scans, real = list[str](), scan_folders.scan_tree
    monkeypatch.setattr(scan_folders, "scan_tree", lambda *args: scans.append("") or real(*args))

    def read_paths() -> set[str]:
        scans.clear()
        with open_session(sample.root) as session, session.read() as view:
            return {each.path for each in view.queries.list_atoms()}

    with daemon(sample):
        for number in (701, 702):
            write_atom(sample, number)
            assert ATOM.format(number) in read_paths()
            wait_until(lambda: read_paths() and not scans, "the daemon knows what has changed")
