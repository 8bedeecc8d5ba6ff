"""`restore` brings an atom back from git, whole, and loses no work that is not committed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from place import build_tree
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place

P = "projects/flywheel"
EXP1, K1 = f"{P}/experiments/EXP-001.md", f"{P}/knowledge/K-001.md"
INVALIDATE = ("mark", "EXP-001", "invalidated", "--by", "EXP-002")


def _build_work(tree: Place) -> None:
    build_tree(tree)
    tree.ok("new", "experiment", "-s", "The first says so", "-t", "a", "--set", "status=partial")
    tree.ok("new", "experiment", "-s", "The second says otherwise", "-t", "a")
    tree.ok("new", "knowledge", "-s", "So it is", "-t", "a", "--evidence", "EXP-001")


@pytest.fixture
def work(tmp_path: Path, copy_tree: CopyTree) -> Place:
    """Two experiments, and knowledge whose evidence is the first."""
    return copy_tree(tmp_path / "tree", _build_work)


def _state(place: Place) -> tuple[str, str]:
    return place.git("rev-parse", "HEAD"), place.git("status", "--porcelain")


@pytest.mark.parametrize(
    "why", leave_to_soak([("--by", "EXP-002"), ("--reason", "withdrawn")], every=2)
)
def test_restoring_a_tombstone_brings_its_bytes_back_in_one_commit(
    work: Place, why: tuple[str, str]
) -> None:
    before = work.read(EXP1)
    work.ok("mark", "EXP-001", "invalidated", *why)
    base = work.git("rev-parse", "HEAD").strip()
    ran = work.run("restore", "EXP-001")
    assert ran.out.startswith("flywheel/EXP-001\tpartial\n")
    assert "still challenged: flywheel/K-001" in ran.err
    assert work.read(EXP1) == before
    assert work.git("log", "--format=%s", f"{base}..").splitlines() == ["restore flywheel/EXP-001"]
    assert "## Invalidated" not in work.read(f"{P}/experiments/index.md")
    assert work.git("status", "--porcelain") == ""


def test_frontmatter_written_since_the_invalidation_is_kept(work: Place) -> None:
    before = work.read(EXP1)
    work.ok(*INVALIDATE)
    work.write(EXP1, work.read(EXP1).replace("tags: [a]", "tags: [a, buried]  # mine"))
    work.ok("commit")
    work.ok("restore", "EXP-001")
    assert work.read(EXP1) == before.replace("tags: [a]", "tags: [a, buried]  # mine")


def test_restore_reverts_the_last_invalidation(work: Place) -> None:
    work.ok(*INVALIDATE)
    work.ok("restore", "EXP-001")
    work.write(EXP1, work.read(EXP1) + "\nLater.\n")
    work.ok("commit")
    work.ok("mark", "EXP-001", "invalidated", "--reason", "withdrawn")
    work.ok("restore", "EXP-001")
    assert work.read(EXP1).endswith("\nLater.\n")


def test_a_dry_run_shows_it_and_touches_nothing(work: Place) -> None:
    work.ok(*INVALIDATE)
    state = _state(work)
    assert "+## Results" in work.ok("restore", "EXP-001", "--dry-run")
    assert _state(work) == state


def test_uncommitted_edits_of_a_tombstone_are_committed_before_it_is_restored(work: Place) -> None:
    work.ok(*INVALIDATE)
    mine = work.read(EXP1) + "\nNobody has seen this line.\n"
    work.write(EXP1, mine)
    work.ok("restore", "EXP-001")
    assert "Nobody has seen this line." not in work.read(EXP1)
    assert work.git("show", f"HEAD~1:{EXP1}") == mine


def test_an_atom_that_is_no_tombstone_is_restored_only_with_at(work: Place) -> None:
    ran = work.run("restore", "EXP-001")
    assert (ran.code, "--at COMMIT" in ran.err) == (3, True)
    before, then = work.read(EXP1), work.git("rev-parse", "HEAD").strip()
    work.ok("mark", "EXP-001", "valid")
    document = json.loads(work.ok("restore", "EXP-001", "--at", then[:12], "--json"))
    assert document["restored"] == {
        "ref": "flywheel/EXP-001",
        "path": EXP1,
        "status": "partial",
        "from": then,
    }
    assert work.read(EXP1) == before
    subject = f"restore flywheel/EXP-001 as of {then[:10]}"
    assert work.git("log", "-1", "--format=%s").strip() == subject
    again = work.ok("restore", "EXP-001", "--at", then)
    assert again == "flywheel/EXP-001 already has that text\n"


def test_a_tombstone_without_an_earlier_text_in_git_is_not_restored(sample: Place) -> None:
    ran = sample.run("restore", "driftwood/EXP-005")
    assert (ran.code, "has no earlier text" in ran.err) == (3, True)


def test_a_removed_atom_is_restored_with_its_last_text(work: Place) -> None:
    path = work.ok("new", "experiment", "-s", "Third", "-t", "a").split()[1]
    text = work.read(path)
    (work.root / path).unlink()
    work.ok("commit")
    work.ok("restore", "flywheel/EXP-003")
    assert work.read(path) == text
    assert work.git("status", "--porcelain") == ""


def test_an_atom_removed_after_its_project_was_renamed_is_restored_by_its_id(work: Place) -> None:
    path = "projects/pendulum/experiments/EXP-003.md"
    work.ok("new", "experiment", "-s", "Third", "-t", "a")
    work.ok("rename", "flywheel", "pendulum")
    text = work.read(path)
    work.ok("rm", "EXP-003")
    assert "`pendulum/EXP-003` was removed" in work.run("show", "EXP-003").err
    assert work.ok("restore", "EXP-003").startswith("pendulum/EXP-003\t")
    assert work.read(path) == text


def test_a_restore_that_would_bring_an_error_back_is_refused(work: Place) -> None:
    path = work.ok("new", "idea", "-s", "See EXP-404 of old", "-t", "a", "--no-commit")
    assert path
    work.write(K1, work.read(K1) + "\nSee EXP-404.\n")
    work.git("add", "-A")
    work.git("commit", "-qm", "by hand")
    then = work.git("rev-parse", "HEAD").strip()
    work.write(K1, work.read(K1).replace("See EXP-404.", ""))
    work.ok("commit")
    ran = work.run("restore", "K-001", "--at", then)
    assert (ran.code, "dangling-ref" in ran.err) == (3, True)


def test_without_git_there_is_nothing_to_restore_from(work: Place) -> None:
    work.ok(*INVALIDATE)
    (work.root / ".git").rename(work.root.parent / "elsewhere")
    ran = work.run("restore", "EXP-001")
    assert (ran.code, "`cortexfs init`" in ran.err) == (3, True)
