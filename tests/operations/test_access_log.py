"""`access log`, `top` and `rotate`."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import oracle
import pytest
from place import build_tree

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place

META = "projects/flywheel/_meta"
LOG = f"{META}/access-log.jsonl"
INDEX = "projects/flywheel/experiments/index.md"


def _format_event(number: int, ts: str, **more: str) -> str:
    document = {"file": f"EXP-00{number}.md", "tool": "Read", "ts": ts, **more}
    return json.dumps(document, separators=(",", ":")) + "\n"


LINES = [
    _format_event(1, "2026-01-02T00:00:00.000Z"),
    _format_event(1, "2026-01-02T00:00:00.000Z"),  # twice, and without a note: two reads
    _format_event(2, "2026-01-31T23:59:59.999Z", note="n1"),
    _format_event(2, "2026-02-01T00:00:00.000Z", note="n1"),  # a replay: one read
    "not json\n",
    _format_event(3, "2026-02-03T00:00:00.000Z"),
    _format_event(1, "2026-02-28T00:00:00.000Z", note="n2"),
]


def _build_with_reads(tree: Place) -> None:
    build_tree(tree)
    for number in (1, 2, 3):
        fields = f"id: EXP-00{number}\ndate: 2026-01-01\nproject: flywheel\nsummary: s\ntags: [a]\n"
        tree.write(f"projects/flywheel/experiments/EXP-00{number}.md", f"---\n{fields}---\n")
    tree.write(LOG, "".join(LINES))
    tree.git("add", ".")
    tree.git("commit", "-qm", "by hand")
    tree.ok("index", "regen", "--all")


@pytest.fixture
def with_reads(tmp_path: Path, copy_tree: CopyTree) -> Place:
    return copy_tree(tmp_path / "tree", _build_with_reads)


def _read_counts(place: Place) -> dict[str, int]:
    rows = oracle.shown(place.read(INDEX)).sections[oracle.ACTIVE]
    return {row.id: row.refs for row in rows}


def _run_json(place: Place, *words: str) -> dict[str, Any]:
    return json.loads(place.ok(*words, "--json"))


def _recount(place: Place) -> dict[str, int]:
    """Count again without the catalog and the index."""
    shutil.rmtree(place.root / ".cortexfs")
    (place.root / INDEX).unlink()
    place.ok("index", "regen", "--all")
    return _read_counts(place)


COUNTED = {"EXP-001": 3, "EXP-002": 1, "EXP-003": 1}


def test_rotating_moves_whole_months_and_no_count_changes(with_reads: Place) -> None:
    assert _read_counts(with_reads) == COUNTED
    document = _run_json(with_reads, "access", "rotate")
    january, february = f"{META}/access-log.2026-01.jsonl", f"{META}/access-log.2026-02.jsonl"
    assert document["rotated"] == [january, february, LOG]
    assert with_reads.read(january) == "".join(LINES[:3])
    assert with_reads.read(february) == "".join((LINES[3], *LINES[5:]))
    assert with_reads.read(LOG) == LINES[4]
    assert with_reads.git("status", "--porcelain") == ""
    assert with_reads.git("log", "-1", "--format=%s") == "chore: rotate access log\n"
    assert _recount(with_reads) == COUNTED


def test_a_second_rotation_changes_nothing(with_reads: Place) -> None:
    with_reads.ok("access", "rotate")
    head = with_reads.git("rev-parse", "HEAD")
    assert with_reads.ok("access", "rotate") == "nothing to rotate: no past month in the logs\n"
    assert with_reads.git("rev-parse", "HEAD") == head


def test_the_current_month_is_not_rotated(with_reads: Place) -> None:
    with_reads.ok("access", "rotate", CORTEXFS_NOW="2026-02-28T12:00:00")
    assert with_reads.read(LOG) == "".join(LINES[3:])


def test_a_killed_rotation_counts_each_read_once_and_can_be_repeated(
    with_reads: Place,
) -> None:
    log = with_reads.read(LOG)
    with_reads.ok("access", "rotate")
    with_reads.write(LOG, log)  # killed before the log itself was rewritten
    assert _recount(with_reads) == COUNTED
    with_reads.ok("access", "rotate")
    assert with_reads.read(LOG) == LINES[4]
    assert with_reads.read(f"{META}/access-log.2026-01.jsonl") == "".join(LINES[:3])
    assert _recount(with_reads) == COUNTED


def test_a_dry_run_touches_nothing(with_reads: Place) -> None:
    head = with_reads.git("rev-parse", "HEAD")
    assert "access-log.2026-01.jsonl" in with_reads.ok("access", "rotate", "--dry-run")
    assert with_reads.git("rev-parse", "HEAD") == head
    assert with_reads.git("status", "--porcelain") == ""


def test_the_log_shows_the_latest_reads_of_all_months_first(with_reads: Place) -> None:
    with_reads.ok("access", "rotate")
    events = _run_json(with_reads, "access", "log", "-n", "3")["access-events"]
    assert [event["ts"][:10] for event in events] == ["2026-02-28", "2026-02-03", "2026-02-01"]
    assert {event["project"] for event in events} == {"flywheel"}
    assert len(_run_json(with_reads, "access", "log")["access-events"]) == len(LINES) - 1
    assert with_reads.run("access", "log", "--project", "flywheal").code == 3


def test_the_most_read_come_first(with_reads: Place) -> None:
    top = _run_json(with_reads, "access", "top", "-n", "2")["atoms"]
    assert [(atom["id"], atom["refs"]) for atom in top] == [("EXP-001", 3), ("EXP-002", 1)]


def test_a_time_with_an_offset_is_as_late_as_it_is_in_utc(with_reads: Place) -> None:
    times = {
        1: ["2026-03-01T20:31:10+02:00", "2026-03-01T19:00:00Z"],
        2: ["2026-03-01T23:00:00.250-0500", "2026-03-02T03:00:00Z"],
    }
    events = [_format_event(number, ts) for number, stamps in times.items() for ts in stamps]
    with_reads.write(LOG, with_reads.read(LOG) + "".join(events))
    with_reads.ok("index", "regen", "--all")
    listed = _run_json(with_reads, "list")["atoms"]
    last = {atom["id"]: atom["last-ref"] for atom in listed if atom["id"] != "EXP-003"}
    assert last == {"EXP-001": "2026-03-01T19:00:00Z", "EXP-002": "2026-03-02T04:00:00.250Z"}
    assert _run_json(with_reads, "check")["warnings"] == 1 + 3, "the torn line, and no sections"
    newest = [
        event["ts"] for event in _run_json(with_reads, "access", "log", "-n", "4")["access-events"]
    ]
    assert newest == [times[2][0], times[2][1], times[1][1], times[1][0]]
