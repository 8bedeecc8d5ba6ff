"""`cortexfs patterns` shows first, and changes only what is asked for."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cortexfs.core.process_events.process_event import EventType, ProcessEvent, format_event_line

if TYPE_CHECKING:
    from place import Place

NOW = "2026-11-06T20:00:00+00:00"


@pytest.fixture
def worked(tree: Place) -> Place:
    """A tree in which one file was edited in each of five sessions."""
    for day in range(1, 6):
        time = f"2026-11-0{day}T10:00:00.000Z"
        ident = f"s-{day}\x1b[31m"
        event = ProcessEvent(time, EventType.FILE_EDITED, "x", ident, "", "flywheel", "a.py")
        tree.write(f".cortexfs/events/2026-11-0{day}.jsonl", format_event_line(event))
    return tree


def test_it_shows_what_would_be_noted_and_changes_nothing(worked: Place) -> None:
    shown = worked.run("patterns", CORTEXFS_NOW=NOW)
    assert '"a.py" was edited in 5 of 5 sessions since 2026-11-01' in shown.out
    assert shown.err.endswith("--apply writes 1 observation\n")
    assert "\x1b" not in shown.out
    assert max(map(len, shown.out.split("\n"))) <= 100
    assert not (worked.root / "projects/flywheel/observations").exists()


def test_apply_notes_it_in_one_commit_and_a_dry_run_shows_the_diff(worked: Place) -> None:
    diff = worked.ok("patterns", "--apply", "--dry-run", CORTEXFS_NOW=NOW)
    assert "+type: pattern\n" in diff
    document = json.loads(worked.ok("patterns", "--apply", "--json", CORTEXFS_NOW=NOW))
    assert [note["action"] for note in document["patterns"]["observations"]] == ["new"]
    assert document["commit"] == worked.git("rev-parse", "HEAD").strip()
    worked.ok("undo")
    assert worked.run("patterns", "--apply", CORTEXFS_NOW=NOW).err.endswith("wrote 1 observation\n")
    again = json.loads(worked.ok("patterns", "--apply", "--json", CORTEXFS_NOW=NOW))
    assert "commit" not in again


def test_options_exclude_each_other_and_off_says_so(worked: Place) -> None:
    assert worked.run("patterns", "--apply", "--reject", "0" * 8).code == 2
    assert worked.run("patterns", "--reject", "0" * 8, CORTEXFS_NOW=NOW).code == 3
    worked.write("cortexfs.yaml", "patterns: off\n")
    assert "switched off" in worked.run("patterns").err
