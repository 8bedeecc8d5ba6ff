"""`idea`: created, listed, and promoted to a project in one commit with links both ways."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from place import build_tree
from soak_cases import leave_rows_to_soak

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place

IDEA = "ideas/IDEA-001.md"
NOW = "2026-05-06T20:31:10+00:00"


def _build_work(tree: Place) -> None:
    build_tree(tree)
    tree.ok("idea", "new", "-s", "Tides as a clock", "-t", "time", "--next-step", "Find a table")


@pytest.fixture
def work(tmp_path: Path, copy_tree: CopyTree, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A tree with an idea whose next step is not the template's."""
    monkeypatch.setenv("CORTEXFS_NOW", NOW)
    return copy_tree(tmp_path / "tree", _build_work)


def _state(place: Place) -> tuple[str, str]:
    return place.git("rev-parse", "HEAD"), place.git("status", "--porcelain", "-uall")


def _files(place: Place) -> dict[str, bytes]:
    every = (path for path in place.root.rglob("*") if path.is_file())
    paths = {path.relative_to(place.root): path for path in every}
    return {
        name.as_posix(): path.read_bytes()
        for name, path in paths.items()
        if not {".git", ".cortexfs"} & set(name.parts)
    }


def test_an_idea_has_the_given_text_and_is_listed(work: Place) -> None:
    assert work.read(IDEA).endswith("## Idea\n\n## Why now\n\n## Next step\n\nFind a table\n")
    assert work.ok("idea", "list") == "IDEA-001\t2026-05-06\tactive\tTides as a clock\n"
    assert work.run("idea", "list", "--status", "promoted").code == 1
    assert "Find a table" in work.ok("idea", "show", "IDEA-001", "--no-track")
    assert "Tides as a clock" in work.read("ideas/CORTEX.md")


def test_a_promotion_is_one_commit_with_links_both_ways(work: Place) -> None:
    head, text = work.git("rev-parse", "HEAD").strip(), work.read(IDEA)
    document = json.loads(work.ok("idea", "promote", "IDEA-001", "tides", "--json"))
    assert work.git("rev-list", f"{head}..").split() == [document["commit"]]
    line = "\nIt became the project [tides](../projects/tides/CORTEX.md) on 2026-05-06.\n"
    status = "tags: [time]\nstatus: promoted:tides\n"
    assert work.read(IDEA) == text.replace("tags: [time]\n", status) + line
    page = work.read("projects/tides/CORTEX.md")
    origin = "It began as [IDEA-001](../../ideas/IDEA-001.md)."
    assert page.startswith(f"# tides\n\nTides as a clock\n\n{origin}\n\n## Lookup rules\n")
    assert "Tides as a clock (promoted:tides)" in work.read("ideas/CORTEX.md")
    assert "| [tides/](tides/CORTEX.md) | Tides as a clock |" in work.read("projects/CORTEX.md")
    assert "| tides |" in work.read("OVERVIEW.md")
    assert work.git("status", "--porcelain") == ""
    found = json.loads(work.ok("check", "--json"))
    about = [each for each in found["findings"] if "tides" in each["path"] or each["path"] == IDEA]
    assert {each["code"] for each in about} <= {"low-actionable-supply"}, about


def test_a_promoted_project_equals_a_new_one_plus_its_origin(work: Place) -> None:
    work.ok("idea", "promote", "IDEA-001", "tides", "--goal", "Tell the time")
    work.ok("project", "new", "tidas", "--goal", "Tell the time")
    files = _files(work)
    ours = {path.replace("tides", "x"): files[path] for path in files if "projects/tides/" in path}
    theirs = {
        path.replace("tidas", "x"): files[path] for path in files if "projects/tidas/" in path
    }
    assert ours.keys() == theirs.keys()
    origin = b"It began as [IDEA-001](../../ideas/IDEA-001.md).\n\n"
    for path, content in ours.items():
        assert content.replace(b"tides", b"tidas").replace(origin, b"") == theirs[path], path


def test_undo_reverts_a_promotion_byte_for_byte_and_a_dry_run_changes_nothing(work: Place) -> None:
    before, state = _files(work), _state(work)
    plan = json.loads(work.ok("idea", "promote", "IDEA-001", "tides", "--dry-run", "--json"))
    assert {IDEA, "projects/tides/CORTEX.md"} <= {each["path"] for each in plan["plan"]["writes"]}
    assert (_files(work), _state(work)) == (before, state)
    work.ok("idea", "promote", "IDEA-001", "tides")
    work.ok("undo")
    assert _files(work) == before


@pytest.mark.parametrize(
    ("words", "message"),
    leave_rows_to_soak(
        [
            (["IDEA-001", "Tides"], "cannot be the name of a project"),
            (["IDEA-001", "../tides"], "cannot be the name of a project"),
            (["IDEA-001", "flywheel"], "exists"),
            (["IDEA-009", "tides"], "no atom named"),
            (["IDEA-002", "tides"], "only an active idea can be promoted"),
            (["IDEA-003", "tides"], "was already promoted to `mill`"),
            (["flywheel/EXP-001", "tides"], "of kind experiment"),
        ],
        every=3,
    ),
)
def test_an_impossible_promotion_is_refused_and_nothing_is_changed(
    work: Place, words: list[str], message: str
) -> None:
    work.ok("new", "experiment", "-p", "flywheel", "-s", "Spin", "-t", "a")
    for number, status in ((2, "stale"), (3, "promoted:mill")):
        text = (
            work.read(IDEA)
            .replace("-001", f"-00{number}")
            .replace("tags", f"status: {status}\ntags")
        )
        work.write(f"ideas/IDEA-00{number}.md", text)
    work.ok("commit", "-m", "by hand")
    state = _state(work)
    ran = work.run("idea", "promote", *words)
    assert (ran.code, ran.out, _state(work)) == (3, "", state)
    assert message in ran.err


def test_only_promote_sets_the_status_promoted(work: Place) -> None:
    ran = work.run("mark", "IDEA-001", "promoted")
    assert (ran.code, "`cortexfs idea --help`" in ran.err) == (3, True)
    assert work.ok("mark", "IDEA-001", "stale") == "IDEA-001\tstale\n"
    experiment = work.ok("new", "experiment", "-p", "flywheel", "-s", "Spin", "-t", "a").split()[1]
    work.write(experiment, work.read(experiment).replace("tags", "status: promoted:x\ntags"))
    found = json.loads(work.run("check", "--json").out)["findings"]
    assert [each["path"] for each in found if each["code"] == "bad-status"] == [experiment]


def test_uncommitted_edits_of_the_idea_are_committed_with_a_message(work: Place) -> None:
    work.write(IDEA, work.read(IDEA) + "\nMine.\n")
    ran = work.run("idea", "promote", "IDEA-001", "tides")
    assert (ran.code, f"{IDEA}: your uncommitted changes" in ran.err) == (0, True)
    assert "\nMine.\n\nIt became" in work.git("show", f"HEAD:{IDEA}")


def test_a_promotion_is_undone_after_its_project_was_removed(work: Place) -> None:
    text = work.read(IDEA)
    work.ok("idea", "promote", "IDEA-001", "tides")
    shutil.rmtree(work.root / "projects/tides")
    work.ok("undo")
    assert work.read(IDEA) == text
    assert work.git("status", "--porcelain") == ""


def test_an_idea_needs_only_its_text(tree: Place) -> None:
    ref, path = tree.ok("idea", "new", "Tides as a clock. They keep time to the minute.").split()
    assert ref == "IDEA-001"
    text = tree.read(path)
    assert 'summary: "Tides as a clock"\n' in text
    assert "They keep time to the minute." in text
    assert tree.run("idea", "new").code == 3
