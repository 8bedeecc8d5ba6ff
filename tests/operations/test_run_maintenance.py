"""`maintain --apply`: one commit with a report, and an undo that restores every byte."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from place import build_tree

from cortexfs.operations.run_maintenance import run_maintenance
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place

NOW = {"CORTEXFS_NOW": "2026-05-06T20:31:10+00:00"}
SCAN = "scans/2026-05-06.md"


def _memory(place: Place, number: int, content: str, fields: str = "", **given: str) -> str:
    project, date = given.get("project", "flywheel"), given.get("date", "2026-05-01")
    folder = f"projects/{project}/observations" if project else "user/observations"
    path = f"{folder}/OBS-{number:03d}.md"
    head = f"---\nid: OBS-{number:03d}\ndate: {date}\nproject: {project or 'flywheel'}\n"
    head += f"summary: Note\ntags: [a]\ntype: {given.get('type', 'fact')}\n"
    place.write(path, f"{head}{fields}---\n\n{content}\n")
    return path


def _build_grown(tree: Place) -> None:
    build_tree(tree)
    tree.ok("project", "new", "sundial", "--goal", "Tell the time")
    _memory(tree, 1, "Answer briefly.", "duplicates: 2\n")
    _memory(tree, 2, "Answer  BRIEFLY", "relations: [follows OBS-005]\n")
    _memory(tree, 3, "answer briefly!", project="sundial")
    _memory(tree, 4, "Use src/a.py.")
    _memory(tree, 5, "Use src/b.py.", "relations: [relates_to OBS-002 0.5]\n")
    _memory(tree, 6, "Nobody reads this.", type="passive", date="2026-01-01")
    _memory(tree, 7, "Answer briefly.", "scope: personal\n", project="")
    look = {"file": "OBS-004.md", "tool": "Read", "ts": "2026-03-01T00:00:00.000Z"}
    line = json.dumps(look, separators=(",", ":"))
    tree.write("projects/flywheel/_meta/access-log.jsonl", f"{line}\n")
    tree.git("add", "-A")
    tree.git("commit", "-qm", "grown")
    tree.ok("index", "regen", "--all", **NOW)
    tree.ok("check", "--fix", **NOW)


@pytest.fixture
def grown(tmp_path: Path, copy_tree: CopyTree) -> Place:
    """A tree with a memory to archive, and equal ones in two projects."""
    return copy_tree(tmp_path / "tree", _build_grown)


def _read_files(place: Place) -> dict[str, bytes]:
    return {
        str(path.relative_to(place.root)): path.read_bytes()
        for path in place.root.rglob("*")
        if path.is_file() and path.relative_to(place.root).parts[0] not in {".git", ".cortexfs"}
    }


def _apply(place: Place, *words: str) -> dict[str, Any]:
    return json.loads(place.ok("maintain", "--apply", "--json", *words, **NOW))


def test_equal_memories_are_merged_and_the_rest_is_archived_in_one_commit(grown: Place) -> None:
    before, head = _read_files(grown), grown.git("rev-parse", "HEAD").strip()
    done = _apply(grown)
    assert grown.git("rev-list", "--count", f"{head}..HEAD").strip() == "1"
    subject = "maintain: mark 1 archived, merge 2 memories"
    assert grown.git("log", "-1", "--format=%s").strip() == subject
    assert [(each["kept"], [m["ref"] for m in each["merged"]]) for each in done["merges"]] == [
        ("flywheel/OBS-001", ["flywheel/OBS-002", "sundial/OBS-003"])
    ]
    kept = grown.read("projects/flywheel/observations/OBS-001.md")
    assert "duplicates: 4\n" in kept
    supersedes = "supersedes flywheel/OBS-002, supersedes sundial/OBS-003"
    assert f"relations: [follows OBS-005, {supersedes}]" in kept
    merged = grown.read("projects/sundial/observations/OBS-003.md")
    assert merged.endswith(
        'status: superseded:flywheel/OBS-001\ndeleted-at: "2026-05-06T20:31:10Z"\n'
        "relations: [updates flywheel/OBS-001]\n"
        "---\n\nanswer briefly!\n"
    )
    other = grown.read("projects/flywheel/observations/OBS-005.md")
    assert "relations: [relates_to flywheel/OBS-001 0.5]" in other
    personal = "user/observations/OBS-007.md"
    assert grown.read(personal).encode() == before[personal]
    assert personal not in grown.git("show", "--name-only", "HEAD")
    assert not grown.git("status", "--porcelain")
    assert grown.run("check", **NOW).code == 0
    assert _apply(grown) == {"format": 1, "marked": [], "merges": []}


def test_what_nobody_asked_for_changes_memories_alone(grown: Place) -> None:
    path = "projects/flywheel/experiments/EXP-900.md"
    fields = "id: EXP-900\ndate: 2025-01-01\nproject: flywheel\nsummary: Old\ntags: [a]\n"
    grown.write(path, f"---\n{fields}status: active\n---\n\nNobody reads this.\n")
    grown.git("add", "-A")
    grown.git("commit", "-qm", "old")
    session = Session.open(str(grown.root), lambda: datetime(2026, 5, 6, 20, 31, tzinfo=UTC))
    done = run_maintenance(session, memories_only=True)
    assert ([mark.is_archival for mark in done.marks], len(done.merges)) == ([True], 1)
    assert "status: active\n" in grown.read(path)
    run_maintenance(session)
    assert "status: stale\n" in grown.read(path)


def test_what_was_merged_makes_no_memory_more_important(grown: Place) -> None:
    _apply(grown)
    with Session.open(str(grown.root), lambda: datetime.now(UTC)).read() as view:
        assert view.memories.count_incoming(1) == 1  # that of OBS-005
        assert view.memories.count_all_incoming()[1] == 1


def test_the_report_has_every_change_with_its_reason(grown: Place) -> None:
    assert _apply(grown)["report"] == SCAN
    text = grown.read(SCAN)
    for part in (
        "Scope: maintenance\n",
        "version 0.1.0. `cortexfs undo` takes the run back",
        "Archived, below 0.1 and older than 30 days",
        "- flywheel/OBS-006: 125 days old, its importance is 0.09\n",
        "- flywheel/OBS-002 (0.41) into flywheel/OBS-001 (0.41)\n",
        "- sundial/OBS-003 (0.41) into flywheel/OBS-001 (0.41)\n",
    ):
        assert part in text
    assert "OBS-007" not in text


def test_an_undo_restores_every_byte_of_the_tree(grown: Place) -> None:
    before = _read_files(grown)
    _apply(grown)
    assert _read_files(grown) != before
    grown.ok("undo", **NOW)
    assert _read_files(grown) == before


def test_an_undo_restores_every_byte_beside_an_earlier_report(grown: Place) -> None:
    grown.ok("scan", "new", "--scope", "mine", "--body-file", "-", feed="All is well.\n", **NOW)
    before = _read_files(grown)
    _apply(grown)
    assert "## At 20:31 UTC\n\nScope: maintenance" in grown.read(SCAN)
    grown.ok("undo", **NOW)
    assert _read_files(grown) == before


def test_nothing_to_do_makes_no_commit_and_no_report(tree: Place) -> None:
    head = tree.git("rev-parse", "HEAD")
    ran = tree.run("maintain", "--apply", **NOW)
    assert (ran.code, ran.out, ran.err) == (0, "", "no changes to make\n")
    assert tree.git("rev-parse", "HEAD") == head
    assert not (tree.root / SCAN).exists()


def test_without_apply_nothing_changes_and_the_merges_are_shown(grown: Place) -> None:
    before = _read_files(grown)
    ran = grown.run("maintain", **NOW)
    line = "merge: flywheel/OBS-002, sundial/OBS-003 into flywheel/OBS-001, with the same text\n"
    assert line in ran.out
    assert ran.err == "--apply would mark 1 atom and merge 2 memories\n"
    assert "+status: superseded" in grown.ok("maintain", "--apply", "--dry-run", **NOW)
    assert _read_files(grown) == before


def test_memories_with_uncommitted_changes_are_left_out(grown: Place) -> None:
    path = "projects/flywheel/observations/OBS-002.md"
    grown.write(path, grown.read(path) + "\n")
    related = "projects/flywheel/observations/OBS-005.md"
    grown.write(related, grown.read(related) + "\nMine.\n")
    before = _read_files(grown)
    done = _apply(grown)
    assert [m["ref"] for each in done["merges"] for m in each["merged"]] == ["sundial/OBS-003"]
    assert done["skipped"] == [path]
    after = _read_files(grown)
    assert [after[each] for each in (path, related)] == [before[each] for each in (path, related)]


def test_a_report_with_uncommitted_changes_is_not_mixed_with_ours(grown: Place) -> None:
    grown.write(SCAN, "# Mine\n")
    before = _read_files(grown)
    ran = grown.run("maintain", "--apply", **NOW)
    assert (ran.code, f"hint: cortexfs commit {SCAN}" in ran.err) == (3, True)
    assert _read_files(grown) == before


def test_the_settings_switch_merging_off(grown: Place) -> None:
    grown.write("cortexfs.yaml", "maintenance:\n  merge: off\n")
    assert _apply(grown)["merges"] == []


def test_a_run_of_one_project_leaves_the_others(grown: Place) -> None:
    done = _apply(grown, "flywheel")
    assert [m["ref"] for each in done["merges"] for m in each["merged"]] == ["flywheel/OBS-002"]


def test_what_was_undone_is_not_done_again_until_the_file_changes(grown: Place) -> None:
    _apply(grown)
    grown.ok("undo", **NOW)
    before, done = _read_files(grown), _apply(grown)
    names = ("flywheel/observations/OBS-002", "flywheel/observations/OBS-006")
    paths = [f"projects/{name}.md" for name in (*names, "sundial/observations/OBS-003")]
    assert done == {"format": 1, "marked": [], "merges": [], "restored": paths}
    assert f"{paths[0]}: skipped: an undo or `restore` brought it back" in (
        grown.run("maintain", **NOW).err
    )
    assert _read_files(grown) == before
    grown.write(paths[0], grown.read(paths[0]).replace("BRIEFLY", "briefly"))
    grown.ok("commit", "-m", "mine", **NOW)
    assert [m["ref"] for each in _apply(grown)["merges"] for m in each["merged"]] == [
        "flywheel/OBS-002"
    ]


def test_a_restored_memory_is_not_merged_again(grown: Place) -> None:
    _apply(grown)
    grown.ok("restore", "sundial/OBS-003", "--at", "HEAD^", **NOW)
    done = _apply(grown)
    assert (done["merges"], done["restored"]) == ([], ["projects/sundial/observations/OBS-003.md"])


def _commit(place: Place) -> None:
    place.git("add", "-A")
    place.git("commit", "-qm", "more")


def test_what_somebody_wrote_among_the_relations_stays(grown: Place) -> None:
    note = "relations: [relates_to OBS-002, see OBS-002 for the reason]\n"
    other = _memory(grown, 8, "Use src/c.py.", note)
    _commit(grown)
    _apply(grown)
    line = "relations: [relates_to flywheel/OBS-001, see OBS-002 for the reason]\n"
    assert line in grown.read(other)


def test_where_the_one_that_stays_cannot_be_edited_nothing_is_merged(grown: Place) -> None:
    _memory(grown, 1, "Answer briefly.", "duplicates: 9\nrelations: {follows: OBS-002}\n")
    _commit(grown)
    assert all(each["kept"] != "flywheel/OBS-001" for each in _apply(grown)["merges"])
    assert "deleted-at" not in grown.read("projects/flywheel/observations/OBS-002.md")


def test_memories_with_the_number_of_another_are_not_merged(grown: Place) -> None:
    _memory(grown, 2, "Another fact.", project="sundial")
    _commit(grown)
    (merge,) = _apply(grown)["merges"]
    assert [each["ref"] for each in merge["merged"]] == ["sundial/OBS-003"]
