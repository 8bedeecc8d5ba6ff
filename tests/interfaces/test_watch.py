"""`watch`, with a real observer on real files: what it wakes for, and what it does not."""

from __future__ import annotations

import json
import queue
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import oracle
import pytest
from watchdog.observers import Observer

from cortexfs.core.atoms.tree_paths import DRAFT
from cortexfs.interfaces.path_queue import PathQueue
from cortexfs.interfaces.watch import _Events

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from place import Place

DEADLINE_S = 60
INDEX = "projects/driftwood/experiments/index.md"


class Watching:
    """A running `cortexfs watch --json`, heard round by round."""

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
        """Interrupt it as a person does, and wait until nothing more can be heard."""
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
        heard = Watching(running)
        try:
            yield heard
        finally:
            running.kill()
            running.wait()
            heard.reader.join(DEADLINE_S)


def _atom(number: int, summary: str, **more: str) -> str:
    fields = {"id": f"EXP-{number}", "date": "2026-03-01", "project": "driftwood", **more}
    lines = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"---\n{lines}summary: {summary}\ntags: [a]\n---\n\nbody\n"


def _atom_path(number: int) -> str:
    return f"projects/driftwood/experiments/EXP-{number}.md"


@pytest.fixture
def stale(sample: Place) -> Place:
    """A tree in which something has changed already, so that the first round tells of it."""
    sample.write(_atom_path(700), _atom(700, "before the start"))
    return sample


def test_changes_are_regenerated_and_checked_and_own_writes_start_no_round(stale: Place) -> None:
    with watching(stale) as heard:
        first = heard.next_round()
        assert _changed(first) == [INDEX]
        for number in (701, 702, 703):
            text = _atom(number, "as it runs", evidence="EXP-999")
            stale.write(_atom_path(number), text)
            said = heard.next_round()
            assert _changed(said) == [INDEX]
            assert _told(said, "dangling-ref") == [_atom_path(number)]
            assert f"EXP-{number}" in _ids(stale)
        assert heard.end() == 130
        assert heard.rounds.empty(), "three changes and the start are four rounds"
    assert [line[8:] for line in stale.git("log", "-4", "--oneline").splitlines()] == [
        "chore: regenerate indexes"
    ] * 4


def test_a_change_is_searchable_before_the_indexes_are_written(stale: Place) -> None:
    with watching(stale) as heard, closing(_catalog(stale)) as catalog:
        heard.next_round()
        stale.write(_atom_path(701), _atom(701, "a walrus"))
        while not catalog.execute("SELECT 1 FROM words WHERE words MATCH 'walrus'").fetchone():
            with pytest.raises(queue.Empty):  # found no later than the round that tells of it
                heard.rounds.get(timeout=0.001)
        assert "EXP-701" not in _ids(stale)
        heard.next_round()
        assert "EXP-701" in _ids(stale)


def _catalog(place: Place) -> sqlite3.Connection:
    """Open what the watching process writes; it makes the full text once its first round ends."""
    place.run("find", "anything")
    (path,) = (place.root / ".cortexfs").glob("catalog-*.sqlite")
    return sqlite3.connect(path, timeout=DEADLINE_S)


def test_a_draft_file_is_not_a_change(tmp_path: Path) -> None:
    folder, heard = tmp_path / "experiments", PathQueue()
    folder.mkdir()
    observer = Observer()
    observer.schedule(_Events(str(tmp_path), heard), str(tmp_path), recursive=True)
    observer.start()
    try:
        for _ in range(3):
            (folder / f"{DRAFT}1.x").write_text("half")
            (folder / f"{DRAFT}1.x").unlink()
        (folder / "EXP-001.md").write_text("whole")
        assert heard.wait(DEADLINE_S) == {"experiments/EXP-001.md"}
    finally:
        observer.stop()
        observer.join()


def test_a_signal_before_the_wait_still_ends_the_wait() -> None:
    """What the C handler writes stays in the pipe: no moment of its arrival is lost."""
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


def test_an_index_damaged_by_hand_is_restored(stale: Place) -> None:
    with watching(stale) as heard:
        heard.next_round()
        sound = stale.read(INDEX)
        stale.write(INDEX, sound[: len(sound) // 2])
        assert _changed(heard.next_round()) == [INDEX]
        assert _timeless(stale.read(INDEX)) == _timeless(sound)
        (stale.root / INDEX).unlink()
        assert _changed(heard.next_round()) == [INDEX]
        assert _timeless(stale.read(INDEX)) == _timeless(sound)


def test_atoms_written_during_a_round_are_not_missed(stale: Place) -> None:
    numbers = range(710, 750)
    with watching(stale) as heard:
        heard.next_round()

        def write_all() -> None:
            for number in numbers:
                stale.write(_atom_path(number), _atom(number, "one of many"))
                if number % 8 == 0:
                    stale.ok("list", "--quiet")  # takes about as long as a round does

        writer = threading.Thread(target=write_all)
        writer.start()
        while not {f"EXP-{number}" for number in numbers} <= set(_ids(stale)):
            heard.next_round()
        writer.join(DEADLINE_S)


def test_removed_and_renamed_atoms_leave_the_index(stale: Place) -> None:
    with watching(stale) as heard:
        heard.next_round()
        (stale.root / _atom_path(700)).rename(stale.root / _atom_path(704))
        heard.next_round()
        (stale.root / _atom_path(704)).unlink()
        heard.next_round()
        assert "EXP-700" not in _ids(stale)


def test_once_ends_after_the_first_change(stale: Place) -> None:
    with watching(stale, "--once") as heard:
        assert _changed(heard.next_round()) == [INDEX]
        assert heard.running.wait(DEADLINE_S) == 0


def test_reads_noted_during_watch_are_counted(stale: Place) -> None:
    with watching(stale) as heard:
        heard.next_round()
        stale.ok("show", "driftwood/EXP-700")
        stale.write(_atom_path(701), _atom(701, "wakes it"))
        heard.next_round()
    rows = oracle.shown(stale.read(INDEX)).sections[oracle.ACTIVE]
    assert next(row.refs for row in rows if row.id == "EXP-700") == 1


def _changed(said: dict[str, Any]) -> list[str]:
    return [index["path"] for index in said["indexes"]]


def _told(said: dict[str, Any], code: str) -> list[str]:
    return [finding["path"] for finding in said["findings"] if finding["code"] == code]


def _ids(place: Place) -> list[str]:
    sections = oracle.shown(place.read(INDEX)).sections
    return [row.id for row in sections[oracle.ACTIVE]]


def _timeless(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("> Last updated: ")]
