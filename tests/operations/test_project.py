"""`project new`, `list` and `show`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from place import Place


def test_a_new_project_is_one_commit_with_its_files_and_the_lists(tree: Place) -> None:
    tree.ok("project", "new", "sundial", "--goal", "Know the time")
    named = set(tree.git("show", "--name-only", "--format=", "HEAD").split())
    own = {"CORTEX.md", "mission.md", "roadmap.md", "STATUS.md", "ISSUES.md", "TASKS.yaml"}
    own |= {"tasks-archive.md", "_meta/access-log.jsonl"}
    own |= {f"{folder}/index.md" for folder in ("experiments", "knowledge", "patterns")}
    assert named == {f"projects/sundial/{path}" for path in own} | {
        "OVERVIEW.md",
        "projects/CORTEX.md",
    }
    assert "| sundial |" in tree.read("OVERVIEW.md")
    assert "Know the time" in tree.read("projects/CORTEX.md")
    assert "Know the time" in tree.read("projects/sundial/mission.md")
    assert tree.git("status", "--porcelain") == ""
    assert tree.run("check", "--strict").code == 0


@pytest.mark.parametrize(
    "name",
    leave_to_soak(
        ["", "Upper", "../out", "a/b", ".hidden", "con", "aux.x", "dot.", "x" * 65, "ünï", "a b"],
        every=3,
    ),
)
def test_a_name_that_is_not_portable_is_refused(tree: Place, name: str) -> None:
    ran = tree.run("project", "new", "--goal", "x", "--", name)
    assert ran.code == 3
    assert tree.git("status", "--porcelain") == ""


def test_an_existing_project_is_refused(tree: Place) -> None:
    ran = tree.run("project", "new", "flywheel", "--goal", "again")
    assert (ran.code, "exists" in ran.err) == (3, True)


def test_a_dry_run_touches_nothing(tree: Place) -> None:
    assert "+++ projects/sundial/mission.md" in tree.ok(
        "project", "new", "sundial", "--goal", "x", "--dry-run"
    )
    assert not (tree.root / "projects/sundial").exists()
    assert tree.git("status", "--porcelain") == ""


def test_a_goal_with_comment_markers_hides_nothing(tree: Place) -> None:
    tree.ok("project", "new", "sundial", "--goal", "<!-- cortexfs:files -->")
    page = tree.read("projects/sundial/CORTEX.md")
    assert "&lt;!-- cortexfs:files -->" in page
    assert "## Lookup rules" in page
    assert tree.run("check", "--strict").code == 0


def test_an_uncommitted_overview_is_not_changed(tree: Place) -> None:
    text = tree.read("OVERVIEW.md") + "my own line\n"
    tree.write("OVERVIEW.md", text)
    tree.ok("project", "new", "sundial", "--goal", "x")
    assert tree.read("OVERVIEW.md") == text
    assert tree.git("status", "--porcelain") == " M OVERVIEW.md\n"


def test_projects_are_listed_and_shown_with_counts(sample: Place) -> None:
    listed = json.loads(sample.ok("project", "list", "--json"))["projects"]
    for project in listed:
        folder = sample.root / "projects" / project["name"]
        experiments = len(list((folder / "experiments").glob("EXP-*.md")))
        assert project["atoms"]["experiment"] == experiments
        shown = json.loads(sample.ok("project", "show", project["name"], "--json"))
        assert shown["project"] == project
        assert shown["content"] == (folder / "STATUS.md").read_text()
    assert [p["name"] for p in listed] == ["driftwood", "greenhouse", "lighthouse"]
