"""An atom with uncommitted edits is not changed until they are committed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from place import Place

ATOM = "projects/flywheel/experiments/EXP-001.md"


def test_skipped_refs_are_written_once_the_edit_is_committed(tree: Place) -> None:
    tree.ok("new", "experiment", "-s", "One", "-t", "x", "--set", "refs=0")
    tree.ok("show", "EXP-001")
    tree.write(ATOM, tree.read(ATOM) + "More.\n")
    tree.ok("index", "regen", "--all")
    assert "refs: 0\n" in tree.read(ATOM)
    tree.git("commit", "-qam", "mine")
    tree.ok("index", "regen", "--all")
    assert "refs: 1\n" in tree.read(ATOM)
    assert not tree.git("status", "--porcelain")


def test_the_private_folder_is_ignored_by_git_whoever_created_it(tree: Place) -> None:
    (tree.root / ".gitignore").write_text("")
    tree.git("commit", "-qam", "nothing is ignored")
    (tree.root / ".cortexfs" / ".gitignore").unlink()
    tree.run("list")
    assert not tree.git("status", "--porcelain")
