"""`maintain` on real trees: what it reports, and what `--apply` marks in one commit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from place import build_tree

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place

NOW = {"CORTEXFS_NOW": "2026-05-06T20:31:10+00:00"}
FOLDER = "projects/flywheel"
NOTHING = {"format": 1, "marked": [], "merges": []}


def _atom(place: Place, ident: str, fields: str = "", body: str = "", date: str = "") -> None:
    folder = {"E": "experiments", "K": "knowledge"}[ident[0]]
    text = f"---\nid: {ident}\ndate: {date or '2026-05-01'}\nproject: flywheel\nsummary: s\n"
    text += f"tags: [a]\n{fields}---\n\n{body}\n"
    place.write(f"{FOLDER}/{folder}/{ident}.md", text)


def _build_grown(tree: Place) -> None:
    build_tree(tree)
    _atom(tree, "EXP-001", "status: invalidated:EXP-002 # why\n")
    _atom(tree, "EXP-002")
    _atom(tree, "EXP-003", date="2026-01-01")
    _atom(tree, "EXP-004", date="2026-01-01")
    _atom(tree, "K-001", "evidence: [EXP-001]\n")
    tree.write(f"{FOLDER}/ISSUES.md", "# flywheel issues\n\nEXP-004 is odd.\n")
    look = {"file": "EXP-002.md", "tool": "Read", "ts": "2026-03-01T00:00:00.000Z"}
    tree.write(f"{FOLDER}/_meta/access-log.jsonl", json.dumps(look, separators=(",", ":")) + "\n")
    tree.git("add", "-A")
    tree.git("commit", "-qm", "grown")
    tree.ok("index", "regen", "--all")


@pytest.fixture
def grown(tmp_path: Path, copy_tree: CopyTree) -> Place:
    """A project with one atom to be marked, and many that must not be."""
    return copy_tree(tmp_path / "tree", _build_grown)


def _run_json(place: Place, *words: str) -> dict[str, Any]:
    return json.loads(place.ok("maintain", *words, "--json", **NOW))


def test_a_report_changes_nothing_and_lists_what_would_be_marked(grown: Place) -> None:
    before = grown.git("rev-parse", "HEAD")
    document = _run_json(grown)
    assert [(mark["ref"], mark["status"]) for mark in document["status-changes"]] == [
        ("flywheel/K-001", "challenged:EXP-002"),
        ("flywheel/EXP-003", "stale"),
    ]
    (project,) = document["maintenance"]
    assert [(s["ref"], s["unlinked"]) for s in project["unread"]] == [
        ("flywheel/EXP-003", True),
        ("flywheel/EXP-004", False),
    ]
    assert project["logged-days"] == 66
    assert grown.git("rev-parse", "HEAD") == before
    assert not grown.git("status", "--porcelain")


def test_apply_marks_all_in_one_commit_and_a_second_run_finds_nothing(grown: Place) -> None:
    before = grown.git("rev-parse", "HEAD").strip()
    document = _run_json(grown, "--apply")
    assert len(document["marked"]) == 2
    assert grown.git("rev-list", "--count", f"{before}..HEAD").strip() == "1"
    assert grown.git("log", "-1", "--format=%s").strip() == "maintain: mark 1 challenged, 1 stale"
    assert not grown.git("status", "--porcelain")
    changed = grown.git("diff", before, "--unified=0", "--", f"{FOLDER}/knowledge/K-001.md")
    assert [line for line in changed.splitlines() if line[:1] in "+-"][2:] == [
        "+status: challenged:EXP-002"
    ]
    assert "**challenged:EXP-002**" in grown.read(f"{FOLDER}/knowledge/index.md")
    assert _run_json(grown, "--apply") == NOTHING
    assert grown.git("rev-list", "--count", f"{before}..HEAD").strip() == "1"


def test_a_dry_run_shows_the_diff_and_touches_nothing(grown: Place) -> None:
    shown = grown.ok("maintain", "--apply", "--dry-run", **NOW)
    assert "+status: stale" in shown
    assert "+status: challenged:EXP-002" in shown
    assert not grown.git("status", "--porcelain")


def test_a_dry_run_does_not_drain_the_notes_of_hooks(grown: Place) -> None:
    grown.ok("show", "EXP-002")
    head = grown.git("rev-parse", "HEAD")
    for words in (["maintain"], ["maintain", "--apply"]):
        grown.ok(*words, "--dry-run", **NOW)
    assert grown.git("rev-parse", "HEAD") == head
    assert grown.ok("hook", "status") == "waiting: 1 note\n"


def test_no_commit_writes_and_leaves_the_commit_to_the_user(grown: Place) -> None:
    grown.ok("maintain", "--apply", "--no-commit", **NOW)
    assert f" M {FOLDER}/knowledge/K-001.md" in grown.git("status", "--porcelain").splitlines()


def test_an_atom_with_uncommitted_changes_is_not_marked(grown: Place) -> None:
    path = f"{FOLDER}/knowledge/K-001.md"
    mine = grown.read(path) + "\nA thought.\n"
    grown.write(path, mine)
    _atom(grown, "EXP-005", date="2026-01-01")
    ran = grown.run("maintain", "--apply", **NOW)
    assert ran.out == "flywheel/EXP-003\tstale\t125 days old, never read, nothing links to it\n"
    assert f"{path}: skipped" in ran.err
    assert "EXP-005.md: skipped" in ran.err
    assert grown.read(path) == mine


def test_only_the_named_projects_are_examined(grown: Place) -> None:
    grown.ok("project", "new", "sundial", "--goal", "Tell the time")
    assert [r["project"] for r in _run_json(grown, "sundial")["maintenance"]] == ["sundial"]
    assert len(_run_json(grown)["maintenance"]) == 2
    ran = grown.run("maintain", "flywhel")
    assert (ran.code, "flywheel" in ran.err) == (3, True)


def test_a_tree_without_maintenance_prints_that(tree: Place) -> None:
    ran = tree.run("maintain")
    assert (ran.code, ran.out, ran.err) == (0, "", "nothing to do\n")


def test_a_long_list_is_cut_and_names_the_option_that_shows_the_rest(grown: Place) -> None:
    shown = grown.ok("maintain", "-n", "1", **NOW)
    assert "stale: 1 more; -n 2 shows all" in shown
    assert "EXP-004" not in shown.partition("cold:")[0]


def test_control_characters_of_an_atom_do_not_reach_the_terminal(grown: Place) -> None:
    for number in (6, 7, 8):
        _atom(grown, f"EXP-00{number}", "more: x\n")
        path = f"{FOLDER}/experiments/EXP-00{number}.md"
        hostile = 'tags: ["\\e]0;clock\\a drifted", b]'
        grown.write(path, grown.read(path).replace("tags: [a]", hostile))
    shown = grown.ok("maintain", **NOW)
    assert "\x1b" not in shown
    assert "clock drifted" in shown


def test_an_unreadable_atom_does_not_stop_the_report(grown: Place) -> None:
    grown.write(f"{FOLDER}/experiments/EXP-009.md", "---\nid: [\n---\n")
    grown.write(f"{FOLDER}/experiments/EXP-010.md", "no frontmatter")
    assert len(_run_json(grown)["status-changes"]) == 2


def test_every_command_in_the_report_exists(sample: Place) -> None:
    document = json.loads(sample.ok("maintain", "--json", **NOW))
    commands = {a["command"] for project in document["maintenance"] for a in project["suggestions"]}
    assert commands
    for command in commands:
        words = command.split()
        assert words[0] == "cortexfs"
        assert sample.run(words[1], "--help").code == 0, command


def _memory(place: Place, number: int, fields: str = "", date: str = "2026-01-01") -> str:
    path = f"{FOLDER}/observations/OBS-{number:03d}.md"
    text = f"---\nid: OBS-{number:03d}\ndate: {date}\nproject: flywheel\nsummary: s\n"
    text += f"tags: [a]\ntype: manual\nscope: project\n{fields}---\n\nNote {number}.\n"
    place.write(path, text)
    return path


def test_apply_archives_old_memories_of_low_importance(grown: Place) -> None:
    paths = [_memory(grown, 1), _memory(grown, 2), _memory(grown, 4, "type: decision\n")]
    _memory(grown, 3, "relations: [references OBS-002]\n", date="2026-05-01")
    grown.git("add", "-A")
    grown.git("commit", "-qm", "memories")
    before = [grown.read(path) for path in paths]
    (project,) = _run_json(grown)["maintenance"]
    assert [each["ref"] for each in project["archivable"]] == ["flywheel/OBS-001"]
    assert "+deleted-at:" in grown.ok("maintain", "--apply", "--dry-run", **NOW)
    marked = [mark for mark in _run_json(grown, "--apply")["marked"] if mark.get("archive")]
    assert [(mark["ref"], mark["status"]) for mark in marked] == [("flywheel/OBS-001", "stale")]
    assert grown.git("log", "-1", "--format=%s").strip() == (
        "maintain: mark 1 archived, 1 challenged, 1 stale"
    )
    added = 'status: stale\ndeleted-at: "2026-05-06T20:31:10Z"\n---\n'
    assert grown.read(paths[0]) == before[0].replace("\n---\n", f"\n{added}", 1)
    assert [grown.read(path) for path in paths[1:]] == before[1:]
    assert _run_json(grown, "--apply") == NOTHING


def test_the_settings_say_which_memories_are_archived(grown: Place) -> None:
    _memory(grown, 1, date="2026-04-20")
    grown.write("cortexfs.yaml", "maintenance:\n  min-age-days: 10\n  prune-below: 0.2\n")
    grown.git("add", "-A")
    grown.git("commit", "-qm", "memories")
    archived = [mark["ref"] for mark in _run_json(grown)["status-changes"] if mark.get("archive")]
    assert archived == ["flywheel/OBS-001"]
