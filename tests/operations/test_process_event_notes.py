"""`hook drain` writes what agents do to the private event log."""

from __future__ import annotations

import errno
import json
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from cortexfs.operations.shared.load_process_events import load_process_events
from cortexfs.session.session import Session
from cortexfs.tree import atomic_files
from cortexfs.tree.spool import Spool

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

NOW = datetime.now(UTC)
NOTE = f"{int(NOW.timestamp())}000000000"
DAY = NOW.date().isoformat()
LOG = f".cortexfs/events/{DAY}.jsonl"


def note(place: Place, number: int, **event: object) -> None:
    path = f".cortexfs/spool/new/{NOTE}.{number}"
    place.write(path, json.dumps({"session_id": "s", **event}))


def open_session(place: Place) -> Session:
    return Session.open(str(place.root), lambda: NOW)


@pytest.fixture
def with_notes(sample: Place, tmp_path: Path) -> Place:
    """A tree with three notes: two process events and a read."""
    (tmp_path / "engine/.git").mkdir(parents=True)
    (tmp_path / "engine/src").mkdir()
    path = str(sample.root / "projects/driftwood/experiments/EXP-001.md")
    cwd = str(tmp_path / "engine/src")
    note(sample, 1, hook_event_name="UserPromptSubmit", prompt="tune it", cwd=cwd)
    note(sample, 2, hook_event_name="PostToolUse", tool_name="Read", cwd=cwd,
         tool_input={"file_path": path})  # fmt: skip
    note(sample, 3, hook_event_name="Stop", cwd=str(sample.root / "projects/driftwood"))
    return sample


def test_a_drain_logs_process_events_and_commits_only_reads(with_notes: Place) -> None:
    drained = json.loads(with_notes.ok("hook", "drain", "--json"))["drained"]
    assert drained == {"notes": 3, "events": 1, "projects": ["driftwood"]}
    events = load_process_events(open_session(with_notes), DAY)
    assert [(each.type.value, each.project, each.text, each.note[-1]) for each in events] == [
        ("prompt", "engine", "tune it", "1"),
        ("turn-ended", "driftwood", "", "3"),
    ]
    assert with_notes.git("status", "--porcelain") == ""
    assert "events" not in with_notes.git("ls-files")


def test_process_events_alone_make_no_commit(with_notes: Place) -> None:
    (with_notes.root / f".cortexfs/spool/new/{NOTE}.2").unlink()
    head = with_notes.git("rev-parse", "HEAD")
    with_notes.ok("hook", "drain")
    assert with_notes.git("rev-parse", "HEAD") == head
    assert len(with_notes.read(LOG).splitlines()) == 2


def test_after_a_kill_before_the_notes_are_removed_no_event_is_lost_or_doubled(
    with_notes: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Spool, "remove_notes", die)
        with pytest.raises(KeyboardInterrupt):
            open_session(with_notes).drain_spool()
    assert len(os.listdir(with_notes.root / ".cortexfs/spool/new")) == 3
    with_notes.ok("hook", "drain")
    assert len(with_notes.read(LOG).splitlines()) == 4
    assert len(load_process_events(open_session(with_notes), DAY)) == 2


def test_on_a_full_disk_reads_are_logged_and_process_events_wait(
    with_notes: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = atomic_files.append_lines

    def append_reads(at: int, name: str, lines: bytes) -> None:
        if name.startswith(DAY):
            raise OSError(errno.ENOSPC, "no space")
        append(at, name, lines)

    with monkeypatch.context() as patched:
        patched.setattr(atomic_files, "append_lines", append_reads)
        drained = open_session(with_notes).drain_spool().drain_plan
    assert (len(drained.appends), drained.spool_notes) == (1, (f"{NOTE}.2",))
    assert len(os.listdir(with_notes.root / ".cortexfs/spool/new")) == 2
    with_notes.ok("hook", "drain")
    assert len(load_process_events(open_session(with_notes), DAY)) == 2


def test_a_link_in_place_of_the_event_log_stops_no_drain(with_notes: Place, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (with_notes.root / ".cortexfs/events").symlink_to(tmp_path / "elsewhere")
    note(with_notes, 4, hook_event_name="Stop")
    with_notes.ok("hook", "drain")
    assert os.listdir(with_notes.root / ".cortexfs/spool/new") == []
    assert os.listdir(tmp_path / "elsewhere") == []


def test_with_supervision_off_no_event_is_written(with_notes: Place) -> None:
    with_notes.write("cortexfs.yaml", "supervision: off\n")
    drained = json.loads(with_notes.ok("hook", "drain", "--json"))["drained"]
    assert drained["events"] == 1
    assert not (with_notes.root / ".cortexfs/events").exists()
