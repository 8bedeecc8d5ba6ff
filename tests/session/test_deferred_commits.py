"""A deferred change is on disk when it returns, and its commit follows, whatever happens."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from queue import Queue
from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.interfaces.cli.process_context import read_clock
from cortexfs.operations.memory.save_memory import save_memory
from cortexfs.operations.regenerate_indexes import regenerate_indexes
from cortexfs.operations.shared.memory_types import MemoryDraft
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

OBSERVATIONS = "projects/flywheel/observations"
SAVE_AND_DIE = """
import os, sys
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.interfaces.cli.process_context import read_clock
from cortexfs.operations.memory.save_memory import save_memory
from cortexfs.operations.shared.memory_types import MemoryDraft
from cortexfs.session.session import Session

session = Session.open(sys.argv[1], read_clock)
with session.deferred_commits(lambda: None, print):
    for number in range(int(sys.argv[2])):
        name = f"{sys.argv[3]} {number}"
        draft = MemoryDraft(name, name, project="flywheel")
        print(save_memory(session, draft, mode=ExecutionMode.DEFER).record.number, flush=True)
    if sys.argv[4] == "die":
        os._exit(9)
"""


def save(session: Session, number: int) -> None:
    draft = MemoryDraft(f"Fact {number}", f"fact {number}", project="flywheel")
    save_memory(session, draft, mode=ExecutionMode.DEFER)


def test_many_changes_are_few_commits_and_nothing_is_left(tree: Place) -> None:
    base = tree.git("rev-parse", "HEAD").strip()
    session, began = Session.open(str(tree.root), read_clock), time.monotonic()
    with session.deferred_commits(lambda: regenerate_indexes(session, None), print):
        for number in range(30):
            save(session, number)
            assert (tree.root / OBSERVATIONS / f"OBS-{number + 1:03}.md").is_file()
    session.close()
    subjects = tree.git("log", "--format=%s", f"{base}..HEAD").splitlines()
    assert len(subjects) <= time.monotonic() - began + 3, "one a second, the last one, the indexes"
    assert subjects[0] == "chore: regenerate indexes"
    assert tree.git("status", "--porcelain") == ""
    assert "(30 entries)" in tree.read(f"{OBSERVATIONS}/index.md")
    assert tree.run("check").code == 0


def test_the_message_lists_what_was_changed(tree: Place) -> None:
    session = Session.open(str(tree.root), read_clock)
    with session.deferred_commits(lambda: None, print):
        for number in range(3):
            save(session, number)
    session.close()
    body = tree.git("log", "-1", "--format=%B")
    first = "save flywheel/OBS-001: Fact 0"
    assert body.startswith(f"{first} and 2 more\n\n- {first}\n- ")


def test_what_a_killed_process_has_saved_is_committed_by_the_next_command(tree: Place) -> None:
    words = [sys.executable, "-c", SAVE_AND_DIE, str(tree.root), "3", "a", "die"]
    died = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (died.returncode, died.stdout.split()) == (9, ["1", "2", "3"])
    tree.ok("index", "regen", "--all")
    assert tree.git("status", "--porcelain") == ""
    assert "(3 entries)" in tree.read(f"{OBSERVATIONS}/index.md")


def test_several_processes_share_numbers_and_lose_nothing(tree: Place, soak: bool) -> None:
    processes, each = (8, 200) if soak else (3, 8)
    started = [
        subprocess.Popen(
            [sys.executable, "-c", SAVE_AND_DIE, str(tree.root), str(each), f"p{n}", "end"],
            stdout=subprocess.PIPE,
            text=True,
        )
        for n in range(processes)
    ]
    numbers = sorted(int(line) for each_ in started for line in each_.communicate()[0].split())
    assert numbers == list(range(1, processes * each + 1))
    tree.ok("index", "regen", "--all")
    assert tree.git("status", "--porcelain") == ""
    names = tree.git("ls-tree", "-r", "--name-only", "HEAD", f"{OBSERVATIONS}/").splitlines()
    assert len([name for name in names if "OBS-" in name]) == processes * each


def test_without_the_thread_a_deferred_change_is_committed_at_once(
    tree: Place, tmp_path: Path
) -> None:
    before = set(threading.enumerate())
    session = Session.open(str(tree.root), read_clock)
    save(session, 1)
    session.close()
    assert tree.git("status", "--porcelain") == ""
    assert set(threading.enumerate()) <= before
    assert not list(tmp_path.glob("*.lock"))


def test_a_commit_that_fails_is_reported_once_and_tried_again(tree: Place) -> None:
    lock, reports = tree.root / ".git/refs/heads/main.lock", Queue[str]()
    lock.touch()
    session = Session.open(str(tree.root), read_clock)
    with session.deferred_commits(lambda: None, reports.put):
        save(session, 1)
        assert "main.lock" in reports.get(timeout=30)
        lock.unlink()
    session.close()
    assert reports.empty()
    assert tree.git("status", "--porcelain") == ""


def test_a_damaged_time_of_the_last_commit_stops_no_commit(tree: Place) -> None:
    session = Session.open(str(tree.root), read_clock)
    with session.deferred_commits(lambda: None, print):
        save(session, 1)
    session.reader.store_value("deferred-commit", "no number")
    with session.deferred_commits(lambda: None, print):
        save(session, 2)
    session.close()
    assert tree.git("status", "--porcelain") == ""
