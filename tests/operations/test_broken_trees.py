"""One broken or hostile file in a tree stops no other command and loses no text."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from cortexfs.core.access.rotate_log import plan_log_rotation

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

FOLDER = "projects/flywheel/experiments"
ATOM = "---\nid: {}\ndate: 2026-01-05\nproject: flywheel\nsummary: {}\ntags: {}\n---\n"


def index_row(tree: Place, name: str) -> str:
    lines = tree.read(f"{FOLDER}/index.md").splitlines()
    return next(line for line in lines if name in line)


def test_fixing_an_anti_pattern_keeps_its_tags(tree: Place) -> None:
    tree.write(f"{FOLDER}/EXP-001.md", ATOM.format("EXP-001", '"ANTI-PATTERN: x"', "foo, bar"))
    tree.ok("check", "--fix")
    assert "tags: [anti-pattern, foo, bar]\n" in tree.read(f"{FOLDER}/EXP-001.md")


def test_refs_survive_while_an_atom_is_unreadable(tree: Place) -> None:
    text = ATOM.format("EXP-001", "one", "[a]")
    tree.write(f"{FOLDER}/EXP-001.md", text)
    tree.write(f"{FOLDER}/index.md", "| ID | Refs |\n|---|---|\n| EXP-001 | 40 |\n")
    tree.ok("index", "regen", "--all")
    tree.write(f"{FOLDER}/EXP-001.md", text.replace("id:", "<<<<<<< HEAD\nid:"))
    tree.ok("index", "regen", "--all")
    assert "| 40 |" in index_row(tree, "EXP-001.md")
    tree.write(f"{FOLDER}/EXP-001.md", text)
    tree.ok("index", "regen", "--all")
    assert "| 40 |" in index_row(tree, "EXP-001.md")


def test_rotation_splits_a_log_at_newlines_only_and_counts_equal_lines() -> None:
    odd = '{"file":"EXP-001.md","tool":"Read","ts":"2026-03-01T00:00:00Z","session":"a\u2028b"}\n'
    month, _ = plan_log_rotation("p", odd * 3, {"2026-03": odd}, "2026-05")
    assert month.text == odd * 3


def test_notes_wait_only_for_the_project_whose_log_cannot_be_written(
    tree: Place,
) -> None:
    tree.ok("project", "new", "lathe", "--goal", "Turn")
    for project in ("flywheel", "lathe"):
        tree.ok("new", "experiment", "-p", project, "-s", "one", "-t", "a")
    log = tree.root / "projects/flywheel/_meta/access-log.jsonl"
    log.unlink()
    log.mkdir()
    for project in ("flywheel", "lathe"):
        tree.ok("show", f"{project}/EXP-001")
    assert json.loads(tree.ok("hook", "drain", "--json"))["drained"]["projects"] == ["lathe"]
    tree.ok("new", "experiment", "-p", "lathe", "-s", "two", "-t", "a")
    log.rmdir()
    assert json.loads(tree.ok("hook", "drain", "--json"))["drained"]["projects"] == ["flywheel"]


def test_names_that_are_not_utf8_or_have_a_backslash_are_findings(tree: Place) -> None:
    text = ATOM.format("EXP-001", "one", "[a]").encode()
    folder = os.fsencode(tree.root / FOLDER)
    for name in (b"EXP-\xff.md", b"a\\b.md", b"EXP-001.md"):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(text)
    os.mkdir(os.fsencode(tree.root / "projects") + b"/caf\xe9")
    tree.ok("index", "regen", "--all")
    found = json.loads(tree.run("check", "--json").out)["findings"]
    assert [f["code"] for f in found if f["severity"] == "error"] == ["bad-name", "bad-name"]
    assert "EXP-001" in index_row(tree, "EXP-001.md")


def test_a_file_in_place_of_a_folder_or_the_settings_stops_nothing(tree: Place) -> None:
    tree.write("projects/lathe/experiments", "no folder")
    (tree.root / "cortexfs.yaml").mkdir()
    tree.ok("new", "experiment", "-p", "flywheel", "-s", "one", "-t", "a")
    tree.ok("index", "regen", "--all")
    found = json.loads(tree.run("check", "--json").out)["findings"]
    assert "cortexfs.yaml" in {f["path"] for f in found}


def test_a_symlinked_catalog_is_not_followed(tree: Place, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    catalog = next((tree.root / ".cortexfs").glob("catalog-*.sqlite"))
    catalog.unlink()
    catalog.symlink_to(outside)
    tree.ok("index", "regen", "--all")
    assert not outside.exists()


def test_a_project_named_twice_and_an_invalid_time_do_not_stop_regen(tree: Place) -> None:
    tree.ok("new", "experiment", "-s", "one", "-t", "a")
    line = '{"file":"EXP-001.md","tool":"Read","ts":"zzz"}\n'
    tree.write("projects/flywheel/_meta/access-log.jsonl", line)
    tree.ok("index", "regen", "flywheel", "flywheel")
    assert "| 1 | — |" in index_row(tree, "EXP-001.md")


def test_settings_may_start_with_a_document_marker(tree: Place) -> None:
    tree.write("cortexfs.yaml", "---\nkinds:\n  recipe:\n    sections: Steps\n")
    assert tree.ok("new", "recipe", "-s", "Bread", "-t", "a").startswith("flywheel/REC-001")


def test_notes_wait_during_a_rebase(tree: Place) -> None:
    tree.ok("new", "experiment", "-s", "one", "-t", "a")
    tree.ok("show", "EXP-001")
    (tree.root / ".git" / "rebase-merge").mkdir()
    ran = tree.run("hook", "drain")
    assert (ran.code, ran.out) == (0, "0 notes, 0 events\n")
    assert "a rebase is in progress" in ran.err
    (tree.root / ".git" / "rebase-merge").rmdir()
    assert tree.ok("hook", "drain") == "1 note, 1 event\n"


@pytest.mark.parametrize("name", ["mission.md", "STATUS.md", "TASKS.yaml", "CORTEX.md"])
def test_a_link_in_place_of_a_governance_file_does_not_stop_maintain(
    tree: Place, name: str
) -> None:
    path = tree.root / "projects/flywheel" / name
    path.unlink()
    path.symlink_to("/etc/hostname")
    tree.ok("maintain")


def test_a_log_that_cannot_be_read_stops_neither_a_list_of_reads_nor_the_rotation_of_others(
    tree: Place,
) -> None:
    tree.ok("project", "new", "lathe", "--goal", "Turn")
    for project in ("flywheel", "lathe"):
        line = '{"file":"EXP-001.md","tool":"Read","ts":"2020-03-01T00:00:00Z","session":"a"}\n'
        tree.write(f"projects/{project}/_meta/access-log.jsonl", line)
    log = tree.root / "projects/flywheel/_meta/access-log.jsonl"
    log.unlink()
    log.symlink_to("/etc/hostname")
    assert "lathe" in tree.ok("access", "log")
    tree.ok("access", "rotate")
    assert (tree.root / "projects/lathe/_meta/access-log.2020-03.jsonl").exists()
    assert tree.run("access", "rotate", "-p", "flywheel").code == 3


def test_an_overview_that_cannot_be_read_does_not_stop_a_list_of_projects(tree: Place) -> None:
    (tree.root / "OVERVIEW.md").unlink()
    (tree.root / "OVERVIEW.md").symlink_to("/etc/hostname")
    assert "flywheel" in tree.ok("project", "list")
    tree.ok("project", "show", "flywheel")
