"""A process beside one that watches scans nothing, and believes only what is true now."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import pytest
from soak_cases import leave_to_soak
from tree_strategies import open_session

from cortexfs.catalog.folder_digests import count_scanned_files
from cortexfs.catalog.schema import COLUMN_COUNTS, insert_rows
from cortexfs.interfaces.socket_server import SocketServer
from cortexfs.session import daemon_socket, watched_catalog
from cortexfs.session.daemon_socket import ask_socket, hold_changes_socket
from cortexfs.tree import scan_folders

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FOLDER = "projects/p/experiments"
WATCHER = """
import sys
from datetime import UTC, datetime
from cortexfs.interfaces.answer_current import watch_and_answer
from cortexfs.session import watched_catalog
from cortexfs.session.session import Session
watched_catalog.QUICK_AGE_S = 600.0
session = Session.open(sys.argv[1], lambda: datetime.now(UTC))
with watch_and_answer(session, session.refresh):
    session.refresh()
    print("ready", flush=True)
    sys.stdin.read()
"""


def write(root: Path, number: int, summary: str = "One") -> Path:
    path = root / FOLDER / f"EXP-{number:03d}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\nid: EXP-{number:03d}\nsummary: {summary}\ntags: [a]\n---\n\nbody\n")
    return path


class Beside(NamedTuple):
    """A process that watches, and what a new session beside it reads and scans."""

    root: Path
    running: subprocess.Popen[str]
    scans: list[str]

    def read_summaries(self) -> list[str]:
        return read_summaries(self.root, self.scans)


def read_summaries(root: Path, scans: list[str]) -> list[str]:
    scans.clear()
    with open_session(root) as session, session.read() as view:
        return [each.text_field("summary") for each in view.queries.list_atoms()]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "CORTEX.md").write_text("# Tree\n")
    write(tmp_path, 1)
    monkeypatch.setattr(watched_catalog, "MIN_ASKED_FILES", 1)
    return tmp_path


@pytest.fixture
def scans(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    scans, real = list[str](), scan_folders.scan_tree
    monkeypatch.setattr(scan_folders, "scan_tree", lambda *args: scans.append("") or real(*args))
    return scans


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for each answer: on a busy machine it comes late."""
    monkeypatch.setattr(daemon_socket, "ask_socket", lambda *args: ask_socket(*args[:3], 60.0))


@contextmanager
def watcher(root: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", WATCHER, str(root)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout
        assert running.stdout.readline() == "ready\n"
        try:
            yield running
        finally:
            running.kill()


@pytest.fixture
def beside(root: Path, scans: list[str]) -> Iterator[Beside]:
    with watcher(root) as running:
        yield Beside(root, running, scans)


@pytest.mark.usefixtures("patient")
def test_a_process_beside_a_watcher_scans_nothing_and_sees_each_change(beside: Beside) -> None:
    for turn in range(20):  # of the same size, within one tick
        write(beside.root, 1, f"{turn:03d}")
        assert (beside.read_summaries(), beside.scans) == ([f"{turn:03d}"], [])
    write(beside.root, 2, "Two")
    assert (beside.read_summaries(), beside.scans) == (["019", "Two"], [])
    (beside.root / FOLDER / "EXP-001.md").unlink()
    assert (beside.read_summaries(), beside.scans) == (["Two"], [])


@pytest.mark.parametrize(
    "number", leave_to_soak([signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM], every=3)
)
def test_a_watcher_that_is_dead_or_stopped_is_not_believed(
    beside: Beside, number: signal.Signals
) -> None:
    while beside.read_summaries() and beside.scans:  # the first answer may come too late
        pass
    beside.running.send_signal(number)
    if number == signal.SIGSTOP:
        os.waitid(os.P_PID, beside.running.pid, os.WSTOPPED | os.WNOWAIT)
    else:
        beside.running.wait()
    write(beside.root, 1, "Two")
    assert (beside.read_summaries(), beside.scans) == (["Two"], [""])
    write(beside.root, 1, "Six")
    assert (beside.read_summaries(), beside.scans) == (["Six"], [""])


def test_a_watcher_that_continues_knows_what_changed_while_it_was_stopped(beside: Beside) -> None:
    beside.running.send_signal(signal.SIGSTOP)
    write(beside.root, 1, "Two")
    write(beside.root, 2, "Two")
    beside.running.send_signal(signal.SIGCONT)
    while True:  # the first answers may come too late
        assert beside.read_summaries() == ["Two", "Two"]
        if not beside.scans:
            break


def test_after_lost_events_a_process_scans_until_the_watcher_has(beside: Beside) -> None:
    for _ in range(3):
        beside.running.send_signal(signal.SIGSTOP)
        write(beside.root, 2, "Two")
        for number in range(40_000):
            os.utime(beside.root / FOLDER / f"EXP-00{number % 2 + 1}.md")
        write(beside.root, 1, "New")
        beside.running.send_signal(signal.SIGCONT)
        assert beside.read_summaries() == ["New", "Two"]
        while beside.scans:
            assert beside.read_summaries() == ["New", "Two"]
        write(beside.root, 1, "Two")
        assert beside.read_summaries() == ["Two", "Two"]


def test_a_watcher_of_another_tree_with_the_same_files_is_not_believed(
    root: Path, scans: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    (root / "CORTEX.md").touch()
    with watcher(root):
        while read_summaries(root, scans) and scans:  # the first answer may come too late
            pass
        copy = tmp_path_factory.mktemp("other") / "copy"
        subprocess.run(["cp", "-al", root, copy], check=True)  # the socket too has two names
        (copy / FOLDER / "EXP-001.md").unlink()
        write(copy, 1, "Two")
        assert read_summaries(copy, scans) == ["Two"]
        assert scans


def test_a_watcher_of_a_catalog_that_was_emptied_is_not_believed(beside: Beside) -> None:
    with open_session(beside.root) as other, other.catalog.write_transaction() as db:
        made_under = other.catalog.get_value("made under")
        for table in COLUMN_COUNTS:
            db.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
        insert_rows(db, "about", [("made under", made_under), ("empty before", "now")])
        insert_rows(db, "folders", [(FOLDER, b"", 9)])
    assert beside.read_summaries() == ["One"]
    assert beside.scans == [""]


def test_another_answer_is_not_believed(root: Path, scans: list[str]) -> None:
    with open_session(root) as session:
        while not count_scanned_files(session.catalog.db):
            session.refresh()  # a young file is not counted yet
        expected = watched_catalog.format_current_answer(str(root), session.catalog)
    kind, catalog, tree, mounts = expected.split(" ")
    wrong = [
        f"{kind} {catalog} {tree} mnt:[1]",
        f"{kind} {catalog} 1.2 {mounts}",
        f"{kind} 1.2.3 {tree} {mounts}",
        *(kind, "", "unknown"),
    ]
    for answer in wrong:
        with hold_changes_socket(str(root)) as listener:
            assert listener
            server = SocketServer(listener, lambda _, answer=answer: f"{answer}\n")
            server.start()
            assert (read_summaries(root, scans), scans) == (["One"], [""])
            server.close()


@pytest.mark.usefixtures("patient")
def test_one_process_answers_and_another_one_takes_over(beside: Beside) -> None:
    with hold_changes_socket(str(beside.root)) as listener:
        assert listener is None
    beside.running.kill()
    beside.running.wait()
    with watcher(beside.root):
        assert (beside.read_summaries(), beside.scans) == (["One"], [])
        assert ask_socket(str(beside.root), "changes.sock", "stop") == "unknown"


def test_a_small_tree_asks_nobody(beside: Beside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched_catalog, "MIN_ASKED_FILES", 2)
    assert (beside.read_summaries(), beside.scans) == (["One"], [""])
