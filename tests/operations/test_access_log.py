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


def _look(number: int, ts: str, **more: str) -> str:
    said = {"file": f"EXP-00{number}.md", "tool": "Read", "ts": ts, **more}
    return json.dumps(said, separators=(",", ":")) + "\n"


LINES = [
    _look(1, "2026-01-02T00:00:00.000Z"),
    _look(1, "2026-01-02T00:00:00.000Z"),  # twice, and without a note: two looks
    _look(2, "2026-01-31T23:59:59.999Z", note="n1"),
    _look(2, "2026-02-01T00:00:00.000Z", note="n1"),  # a replay: one look
    "not json\n",
    _look(3, "2026-02-03T00:00:00.000Z"),
    _look(1, "2026-02-28T00:00:00.000Z", note="n2"),
]


def _build_looked_at(tree: Place) -> None:
    build_tree(tree)
    for number in (1, 2, 3):
        fields = f"id: EXP-00{number}\ndate: 2026-01-01\nproject: flywheel\nsummary: s\ntags: [a]\n"
        tree.write(f"projects/flywheel/experiments/EXP-00{number}.md", f"---\n{fields}---\n")
    tree.write(LOG, "".join(LINES))
    tree.git("add", ".")
    tree.git("commit", "-qm", "by hand")
    tree.ok("index", "regen", "--all")


@pytest.fixture
def looked_at(tmp_path: Path, copy_tree: CopyTree) -> Place:
    return copy_tree(tmp_path / "tree", _build_looked_at)


def _refs(place: Place) -> dict[str, int]:
    rows = oracle.shown(place.read(INDEX)).sections[oracle.ACTIVE]
    return {row.id: row.refs for row in rows}


def _json(place: Place, *words: str) -> dict[str, Any]:
    return json.loads(place.ok(*words, "--json"))


def _afresh(place: Place) -> dict[str, int]:
    """Count again, with nothing remembered: neither by the catalog nor by the index."""
    shutil.rmtree(place.root / ".cortexfs")
    (place.root / INDEX).unlink()
    place.ok("index", "regen", "--all")
    return _refs(place)


COUNTED = {"EXP-001": 3, "EXP-002": 1, "EXP-003": 1}


def test_rotating_moves_whole_months_and_no_count_changes(looked_at: Place) -> None:
    assert _refs(looked_at) == COUNTED
    said = _json(looked_at, "access", "rotate")
    january, february = f"{META}/access-log.2026-01.jsonl", f"{META}/access-log.2026-02.jsonl"
    assert said["rotated"] == [january, february, LOG]
    assert looked_at.read(january) == "".join(LINES[:3])
    assert looked_at.read(february) == "".join((LINES[3], *LINES[5:]))
    assert looked_at.read(LOG) == LINES[4]
    assert looked_at.git("status", "--porcelain") == ""
    assert looked_at.git("log", "-1", "--format=%s") == "chore: rotate access log\n"
    assert _afresh(looked_at) == COUNTED


def test_a_second_rotation_changes_nothing(looked_at: Place) -> None:
    looked_at.ok("access", "rotate")
    head = looked_at.git("rev-parse", "HEAD")
    assert looked_at.ok("access", "rotate") == "nothing to rotate: no past month in the logs\n"
    assert looked_at.git("rev-parse", "HEAD") == head


def test_the_current_month_is_not_rotated(looked_at: Place) -> None:
    looked_at.ok("access", "rotate", CORTEXFS_NOW="2026-02-28T12:00:00")
    assert looked_at.read(LOG) == "".join(LINES[3:])


def test_a_killed_rotation_counts_each_read_once_and_can_be_repeated(
    looked_at: Place,
) -> None:
    log = looked_at.read(LOG)
    looked_at.ok("access", "rotate")
    looked_at.write(LOG, log)  # killed before the log itself was written anew
    assert _afresh(looked_at) == COUNTED
    looked_at.ok("access", "rotate")
    assert looked_at.read(LOG) == LINES[4]
    assert looked_at.read(f"{META}/access-log.2026-01.jsonl") == "".join(LINES[:3])
    assert _afresh(looked_at) == COUNTED


def test_a_dry_run_touches_nothing(looked_at: Place) -> None:
    head = looked_at.git("rev-parse", "HEAD")
    assert "access-log.2026-01.jsonl" in looked_at.ok("access", "rotate", "--dry-run")
    assert looked_at.git("rev-parse", "HEAD") == head
    assert looked_at.git("status", "--porcelain") == ""


def test_the_log_shows_the_latest_reads_of_all_months_first(looked_at: Place) -> None:
    looked_at.ok("access", "rotate")
    looks = _json(looked_at, "access", "log", "-n", "3")["access-events"]
    assert [look["ts"][:10] for look in looks] == ["2026-02-28", "2026-02-03", "2026-02-01"]
    assert {look["project"] for look in looks} == {"flywheel"}
    assert len(_json(looked_at, "access", "log")["access-events"]) == len(LINES) - 1
    assert looked_at.run("access", "log", "--project", "flywheal").code == 3


def test_the_most_read_come_first(looked_at: Place) -> None:
    top = _json(looked_at, "access", "top", "-n", "2")["atoms"]
    assert [(atom["id"], atom["refs"]) for atom in top] == [("EXP-001", 3), ("EXP-002", 1)]


def test_a_time_with_an_offset_is_as_late_as_it_is_in_utc(looked_at: Place) -> None:
    times = {
        1: ["2026-03-01T20:31:10+02:00", "2026-03-01T19:00:00Z"],
        2: ["2026-03-01T23:00:00.250-0500", "2026-03-02T03:00:00Z"],
    }
    looks = [_look(number, ts) for number, said in times.items() for ts in said]
    looked_at.write(LOG, looked_at.read(LOG) + "".join(looks))
    looked_at.ok("index", "regen", "--all")
    listed = _json(looked_at, "list")["atoms"]
    last = {atom["id"]: atom["last-ref"] for atom in listed if atom["id"] != "EXP-003"}
    assert last == {"EXP-001": "2026-03-01T19:00:00Z", "EXP-002": "2026-03-02T04:00:00.250Z"}
    assert _json(looked_at, "check")["warnings"] == 1 + 3, "the torn line, and no sections"
    newest = [look["ts"] for look in _json(looked_at, "access", "log", "-n", "4")["access-events"]]
    assert newest == [times[2][0], times[2][1], times[1][1], times[1][0]]
