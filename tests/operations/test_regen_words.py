"""`index regen`: which indexes it regenerates, and what it does not change."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from command_server import run_forked
from place import build_sample

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place

INDEX = "projects/{}/experiments/index.md"


def _build_stale(sample: Place) -> None:
    build_sample(sample)
    sample.ok("index", "regen", "--all")
    for project in ("driftwood", "greenhouse"):
        path = f"projects/{project}/experiments/EXP-700.md"
        sample.write(path, f"---\nid: EXP-700\nproject: {project}\nsummary: x\n---\n")


@pytest.fixture
def stale(tmp_path: Path, copy_tree: CopyTree) -> Place:
    """A tree in which the experiments of two projects have changed."""
    return copy_tree(tmp_path / "tree", _build_stale)


def _is_new(place: Place, project: str) -> bool:
    return "EXP-700" in place.read(INDEX.format(project))


def test_a_named_project_is_regenerated_and_no_other(stale: Place) -> None:
    stale.ok("index", "regen", "driftwood")
    assert (_is_new(stale, "driftwood"), _is_new(stale, "greenhouse")) == (True, False)


def test_without_a_name_the_project_of_the_working_directory_is_regenerated(stale: Place) -> None:
    cwd = str(stale.root / "projects/greenhouse/knowledge")
    done = run_forked(("index", "regen"), cwd, dict(os.environ))
    assert (done.returncode, done.stderr) == (0, "")
    assert (_is_new(stale, "driftwood"), _is_new(stale, "greenhouse")) == (False, True)


def test_without_a_name_outside_of_a_project_regen_is_a_usage_error(stale: Place) -> None:
    ran = stale.run("index", "regen")
    assert (ran.code, "--all" in ran.err) == (2, True)


def test_a_mistyped_project_is_refused_with_the_nearest(stale: Place) -> None:
    ran = stale.run("index", "regen", "driftwod")
    assert (ran.code, "`driftwood`" in ran.err) == (3, True)


def test_check_writes_nothing_and_exits_with_1_until_all_indexes_are_current(stale: Place) -> None:
    ran = stale.run("index", "regen", "--all", "--check", "--json")
    assert ran.code == 1
    document = {index["path"] for index in json.loads(ran.out)["indexes"] if index["changed"]}
    assert document == {INDEX.format("driftwood"), INDEX.format("greenhouse")}
    assert not _is_new(stale, "driftwood")
    stale.ok("index", "regen", "--all")
    assert stale.run("index", "regen", "--all", "--check").code == 0


def test_check_computes_cold_atoms_at_the_time_in_the_index(stale: Place) -> None:
    stale.ok("index", "regen", "--all", CORTEXFS_NOW="2026-05-06T20:31:10")
    later = {"CORTEXFS_NOW": "2030-01-01T00:00:00"}
    assert stale.run("index", "regen", "--all", "--check", **later).code == 0


def test_a_dry_run_shows_what_would_be_written_and_touches_nothing(stale: Place) -> None:
    before, head = stale.git("status", "--porcelain", "-uall"), stale.git("rev-parse", "HEAD")
    output = stale.ok("index", "regen", "--all", "--dry-run")
    assert output.count("+| [EXP-700](EXP-700.md) |") == 2
    assert stale.git("status", "--porcelain", "-uall") == before
    assert stale.git("rev-parse", "HEAD") == head


def test_without_a_commit_only_the_files_change(stale: Place) -> None:
    head = stale.git("rev-parse", "HEAD")
    stale.ok("index", "regen", "--all", "--no-commit")
    assert _is_new(stale, "driftwood")
    assert stale.git("rev-parse", "HEAD") == head


def test_a_folder_named_index_md_is_reported_and_stops_no_other_index(stale: Place) -> None:
    index = stale.root / INDEX.format("driftwood")
    index.unlink()
    index.mkdir()
    ran = stale.run("index", "regen", "--all")
    assert ran.code == 0
    assert INDEX.format("driftwood") in ran.err
    assert _is_new(stale, "greenhouse")


@pytest.mark.parametrize(("mode", "writes"), [("always", True), ("never", False)])
def test_the_settings_choose_which_atoms_store_their_refs(
    tree: Place, mode: str, *, writes: bool
) -> None:
    path = "projects/flywheel/experiments/EXP-00{}.md"
    head = "---\nid: EXP-00{}\ndate: 2026-03-01\nproject: flywheel\nsummary: s\ntags: [a]\n"
    tree.write(path.format(1), head.format(1) + "---\n")
    tree.write(path.format(2), head.format(2) + "refs: 0\n---\n")
    tree.write("cortexfs.yaml", f"access:\n  write_back: {mode}\n")
    events = '{"file":"EXP-00%d.md","tool":"Read","ts":"2026-04-02T03:12:21.074Z"}\n'
    tree.write("projects/flywheel/_meta/access-log.jsonl", events % 1 + events % 2)
    tree.git("add", ".")
    tree.git("commit", "-qm", "by hand")
    tree.ok("index", "regen", "--all")
    true = 'refs: 1\nlast-ref: "2026-04-02T03:12:21.074Z"\n---\n'
    assert tree.read(path.format(1)) == head.format(1) + (true if writes else "---\n")
    assert tree.read(path.format(2)) == head.format(2) + (true if writes else "refs: 0\n---\n")
