"""No command removes lines that git does not have: they are committed first, or copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from place import Place

PROJECT = "projects/flywheel"
STATUS = f"{PROJECT}/STATUS.md"
EXP1 = f"{PROJECT}/experiments/EXP-001.md"
MINE = "Nobody has seen this line."
TOKEN = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"


def _list_copies(place: Place) -> list[str]:
    above = place.root / ".cortexfs" / "replaced"
    return [path.read_text() for path in above.iterdir()] if above.exists() else []


def _add_next_step(place: Place, more: str = MINE) -> str:
    """Add a line to the section of STATUS.md that the commands overwrite; return the text."""
    text = place.read(STATUS).replace("## Next steps\n", f"## Next steps\n\n- {more}\n")
    place.write(STATUS, text)
    return text


def test_uncommitted_text_is_committed_before_it_is_overwritten(tree: Place) -> None:
    text = _add_next_step(tree)
    tree.ok("status", "set", "--next", "Go on")
    assert tree.git("show", f"HEAD~1:{STATUS}") == text
    assert tree.git("log", "-1", "--format=%s", "HEAD~1") == f"keep {STATUS} as it was\n"
    assert _list_copies(tree) == []
    tree.ok("undo")
    assert tree.read(STATUS) == text


def test_without_a_commit_a_copy_is_kept_and_named(tree: Place) -> None:
    text, head = _add_next_step(tree), tree.git("rev-parse", "HEAD")
    ran = tree.run("status", "set", "--next", "Go on", "--no-commit")
    assert (ran.code, _list_copies(tree)) == (0, [text])
    assert ".cortexfs/replaced/projects.flywheel.STATUS.md." in ran.err
    assert (MINE in tree.read(STATUS), tree.git("rev-parse", "HEAD")) == (False, head)


@pytest.mark.parametrize("way", ["no git", "a merge"])
def test_a_copy_is_kept_when_git_cannot_commit(tree: Place, way: str) -> None:
    text = _add_next_step(tree)
    if way == "no git":
        (tree.root / ".git").rename(tree.root.parent / "elsewhere")
    else:
        tree.write(".git/MERGE_HEAD", tree.git("rev-parse", "HEAD"))
    tree.ok("status", "set", "--next", "Go on")
    assert _list_copies(tree) == [text]


def test_a_change_that_only_adds_lines_makes_no_copy(tree: Place) -> None:
    _add_next_step(tree)
    head = tree.git("rev-parse", "HEAD").strip()
    tree.ok("status", "set", "--blocker", "No power", "--no-commit")
    assert (MINE in tree.read(STATUS), _list_copies(tree)) == (True, [])
    tree.ok("status", "set", "--phase", "Phase 2")
    assert tree.git("rev-list", "--count", f"{head}..") == "1\n"


def test_a_secret_that_is_overwritten_is_copied_and_never_committed(tree: Place) -> None:
    text = _add_next_step(tree, TOKEN)
    tree.ok("status", "set", "--next", "Go on")
    assert _list_copies(tree) == [text]
    assert TOKEN not in tree.git("log", "-p")


def test_restoring_over_uncommitted_lines_keeps_a_copy(tree: Place) -> None:
    tree.ok("new", "experiment", "-s", "First", "-t", "a")
    text = tree.read(EXP1) + f"\n{MINE}\n"
    tree.write(EXP1, text)
    tree.ok("restore", "EXP-001", "--at", "HEAD", "--no-commit")
    assert (MINE in tree.read(EXP1), _list_copies(tree)) == (False, [text])


def test_a_dry_run_refuses_an_invalidation_that_the_real_run_would_refuse(tree: Place) -> None:
    tree.ok("new", "experiment", "-s", "First", "-t", "a", "--no-commit")
    words = ("mark", "EXP-001", "invalidated", "--reason", "off", "--no-commit")
    for more in ((), ("--dry-run",)):
        ran = tree.run(*words, *more)
        assert (ran.code, f"`cortexfs commit {EXP1}`" in ran.err) == (3, True)
    assert tree.run(*words[:-1], "--dry-run").code == 0


@pytest.mark.parametrize(
    "words", leave_to_soak([("mark", "EXP-001", "stale"), ("restore", "EXP-001")], every=2)
)
def test_a_change_of_an_atom_updates_the_activity_of_its_project_and_undo_reverts_it(
    tree: Place, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    tree.ok("new", "experiment", "-s", "First", "-t", "a")
    if words[0] == "restore":
        tree.ok("mark", "EXP-001", "invalidated", "--reason", "off")
    before = tree.read("OVERVIEW.md")
    monkeypatch.setenv("CORTEXFS_NOW", "2040-05-06T20:31:10+00:00")
    tree.ok(*words)
    assert "| 2040-05-06 |" in tree.git("show", "HEAD:OVERVIEW.md")
    assert tree.git("status", "--porcelain") == ""
    tree.ok("undo")
    assert tree.read("OVERVIEW.md") == before


def test_a_copy_is_kept_of_an_index_edited_by_hand_and_not_committed(tree: Place) -> None:
    index = f"{PROJECT}/experiments/index.md"
    edited = tree.read(index).replace("## Stats", f"{MINE}\n\n## Stats")
    tree.write(index, edited)
    ran = tree.run("index", "regen", "--all")
    assert (MINE in tree.read(index), _list_copies(tree)) == (False, [edited])
    assert ".cortexfs/replaced/projects.flywheel.experiments.index.md." in ran.err


def test_no_copy_is_kept_of_an_index_that_git_has_or_that_was_rendered_here(tree: Place) -> None:
    index = f"{PROJECT}/experiments/index.md"
    tree.write(index, f"{tree.read(index)}{MINE}\n")
    tree.git("commit", "-qam", "an index edited by hand")
    tree.ok("index", "regen", "--all", "--no-commit")
    for summary in ("One", "Another matter"):
        tree.ok("new", "experiment", "-p", "flywheel", "-s", summary, "-t", "a", "--no-commit")
    assert MINE not in tree.read(index)
    assert _list_copies(tree) == []
