"""`watch` with a real observer on real files: which changes start a round."""

from __future__ import annotations

import json
import queue
import signal
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import oracle
import pytest
from watchdog.observers import Observer

from cortexfs.core.atoms.tree_paths import DRAFT_PREFIX
from cortexfs.interfaces.cli.process_context import read_clock
from cortexfs.interfaces.path_queue import PathQueue
from cortexfs.interfaces.watch import _EventQueuer, wait_for_changes
from cortexfs.session.session import Session
from cortexfs.session.tree_lock import hold_tree_lock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from place import Place

DEADLINE_S = 60
INDEX = "projects/driftwood/experiments/index.md"


class Watching:
    """A running `cortexfs watch --json`, read round by round."""

    def __init__(self, running: subprocess.Popen[str]) -> None:
        self.running = running
        self.rounds: queue.Queue[str] = queue.Queue()
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self) -> None:
        for line in self.running.stdout or ():
            self.rounds.put(line)

    def next_round(self) -> dict[str, Any]:
        return json.loads(self.rounds.get(timeout=DEADLINE_S))

    def end(self) -> int:
        """Interrupt it as ^C does, and wait for the end of its output."""
        self.running.send_signal(signal.SIGINT)
        code = self.running.wait(DEADLINE_S)
        self.reader.join(DEADLINE_S)
        return code


@contextmanager
def watching(place: Place, *words: str) -> Iterator[Watching]:
    command = [sys.executable, "-m", "cortexfs", "--root", str(place.root), "watch", "--json"]
    with subprocess.Popen(
        [*command, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        watch = Watching(running)
        try:
            yield watch
        finally:
            running.kill()
            running.wait()
            watch.reader.join(DEADLINE_S)


def _atom(number: int, summary: str, **more: str) -> str:
    fields = {"id": f"EXP-{number}", "date": "2026-03-01", "project": "driftwood", **more}
    lines = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"---\n{lines}summary: {summary}\ntags: [a]\n---\n\nbody\n"


def _atom_path(number: int) -> str:
    return f"projects/driftwood/experiments/EXP-{number}.md"


@pytest.fixture
def stale(sample: Place) -> Place:
    """A tree with a change that the first round reports."""
    sample.write(_atom_path(700), _atom(700, "before the start"))
    return sample


def test_changes_are_regenerated_and_checked_and_own_writes_start_no_round(stale: Place) -> None:
    with watching(stale) as watch:
        first = watch.next_round()
        assert _list_indexes(first) == [INDEX]
        for number in (701, 702, 703):
            text = _atom(number, "as it runs", evidence="EXP-999")
            stale.write(_atom_path(number), text)
            round_ = watch.next_round()
            assert _list_indexes(round_) == [INDEX]
            assert _list_findings(round_, "dangling-ref") == [_atom_path(number)]
            assert f"EXP-{number}" in _list_ids(stale)
        assert watch.end() == 130
        assert watch.rounds.empty(), "three changes and the start are four rounds"
    assert [line[8:] for line in stale.git("log", "-4", "--oneline").splitlines()] == [
        "chore: regenerate indexes"
    ] * 4


def test_a_change_is_searchable_before_the_indexes_are_written(stale: Place) -> None:
    with watching(stale) as watch, closing(_catalog(stale)) as catalog:
        watch.next_round()
        with hold_tree_lock(str(stale.root), "a test", DEADLINE_S):  # no round can end meanwhile
            stale.write(_atom_path(701), _atom(701, "a walrus"))
            while not catalog.execute("SELECT 1 FROM words WHERE words MATCH 'walrus'").fetchone():
                with pytest.raises(queue.Empty):
                    watch.rounds.get(timeout=0.001)
            assert "EXP-701" not in _list_ids(stale)
        watch.next_round()
        assert "EXP-701" in _list_ids(stale)


def _catalog(place: Place) -> sqlite3.Connection:
    """Open the catalog that the running process writes, with its full text."""
    place.run("find", "anything")
    (path,) = (place.root / ".cortexfs").glob("catalog-*.sqlite")
    return sqlite3.connect(path, timeout=DEADLINE_S)


def test_a_draft_file_is_not_a_change(tmp_path: Path) -> None:
    folder, queue = tmp_path / "experiments", PathQueue()
    folder.mkdir()
    observer = Observer()
    observer.schedule(_EventQueuer(str(tmp_path), queue), str(tmp_path), recursive=True)
    observer.start()
    try:
        for _ in range(3):
            (folder / f"{DRAFT_PREFIX}1.x").write_text("half")
            (folder / f"{DRAFT_PREFIX}1.x").unlink()
        (folder / "EXP-001.md").write_text("whole")
        assert queue.wait(DEADLINE_S) == {"experiments/EXP-001.md"}
    finally:
        observer.stop()
        observer.join()


def test_a_signal_before_the_wait_still_ends_the_wait() -> None:
    """The byte that the C handler writes stays in the pipe until the wait."""
    hints = PathQueue()
    seen = []
    old = signal.signal(signal.SIGUSR1, lambda *_: seen.append(1))
    try:
        with hints.wake_on_signals():
            signal.raise_signal(signal.SIGUSR1)  # before the sleep: a lock would not hear of it
            assert hints.wait(600.0) == set()
    finally:
        signal.signal(signal.SIGUSR1, old)
        hints.close()
    assert seen == [1]


@pytest.mark.soak
def test_an_index_damaged_by_hand_is_restored(stale: Place) -> None:
    with watching(stale) as watch:
        watch.next_round()
        sound = stale.read(INDEX)
        stale.write(INDEX, sound[: len(sound) // 2])
        assert _list_indexes(watch.next_round()) == [INDEX]
        assert _drop_time(stale.read(INDEX)) == _drop_time(sound)
        (stale.root / INDEX).unlink()
        assert _list_indexes(watch.next_round()) == [INDEX]
        assert _drop_time(stale.read(INDEX)) == _drop_time(sound)


@pytest.mark.soak
def test_atoms_written_during_a_round_are_not_missed(stale: Place) -> None:
    numbers = range(710, 750)
    with watching(stale) as watch:
        watch.next_round()

        def write_all() -> None:
            for number in numbers:
                stale.write(_atom_path(number), _atom(number, "one of many"))
                if number % 8 == 0:
                    stale.ok("list", "--quiet")  # takes about as long as a round does

        writer = threading.Thread(target=write_all)
        writer.start()
        while not {f"EXP-{number}" for number in numbers} <= set(_list_ids(stale)):
            watch.next_round()
        writer.join(DEADLINE_S)


@pytest.mark.soak
def test_removed_and_renamed_atoms_leave_the_index(stale: Place) -> None:
    with watching(stale) as watch:
        watch.next_round()
        (stale.root / _atom_path(700)).rename(stale.root / _atom_path(704))
        watch.next_round()
        (stale.root / _atom_path(704)).unlink()
        watch.next_round()
        assert "EXP-700" not in _list_ids(stale)


@pytest.mark.soak
def test_once_ends_after_the_first_change(stale: Place) -> None:
    with watching(stale, "--once") as watch:
        assert _list_indexes(watch.next_round()) == [INDEX]
        assert watch.running.wait(DEADLINE_S) == 0


def test_reads_noted_during_watch_are_counted(stale: Place) -> None:
    with watching(stale) as watch:
        watch.next_round()
        stale.ok("show", "driftwood/EXP-700")
        stale.write(_atom_path(701), _atom(701, "wakes it"))
        watch.next_round()
    rows = oracle.shown(stale.read(INDEX)).sections[oracle.ACTIVE]
    assert next(row.refs for row in rows if row.id == "EXP-700") == 1


def _list_indexes(message: dict[str, Any]) -> list[str]:
    return [index["path"] for index in message["indexes"]]


def _list_findings(message: dict[str, Any], code: str) -> list[str]:
    return [finding["path"] for finding in message["findings"] if finding["code"] == code]


def _list_ids(place: Place) -> list[str]:
    sections = oracle.shown(place.read(INDEX)).sections
    return [row.id for row in sections[oracle.ACTIVE]]


def _drop_time(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("> Last updated: ")]


@pytest.mark.soak
def test_events_that_never_pause_do_not_keep_a_round_from_ending(
    sample: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cortexfs.interfaces.watch.RESCAN_S", 0.6)
    hints, ended = PathQueue(), threading.Event()

    def keep_adding() -> None:
        while not ended.wait(0.05):
            hints.add("projects/driftwood/notes.log")

    session = Session.open(str(sample.root), read_clock)
    with ThreadPoolExecutor(2) as threads:
        threads.submit(keep_adding)
        try:
            found = threads.submit(wait_for_changes, session, hints).result(DEADLINE_S / 6)
        finally:
            ended.set()
    hints.close()
    assert found == set()
