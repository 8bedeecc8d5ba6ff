"""`undo` is refused when it could revert more than the last change."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from place import Place
from test_undo import ATOM, EXPERIMENTS, create_atom, photograph, subjects

if TYPE_CHECKING:
    from pathlib import Path


def test_undo_is_refused_when_a_file_was_edited_since(tree: Place) -> None:
    create_atom(tree)
    tree.write(ATOM, tree.read(ATOM) + "My own thought.\n")
    before = photograph(tree)
    ran = tree.run("undo")
    assert (ran.code, photograph(tree)) == (3, before)
    assert f"error: changed since: {ATOM}\n" in ran.err
    tree.git("commit", "-qam", "mine")
    assert tree.run("undo").code == 3
    assert subjects(tree) == ["mine"]


def test_a_tree_of_commits_by_hand_has_nothing_to_undo(sample: Place) -> None:
    before = photograph(sample)
    ran = sample.run("undo")
    assert (ran.code, photograph(sample)) == (3, before)
    assert "nothing to undo" in ran.err


def test_undo_does_not_remove_an_atom_that_another_one_cites(tree: Place) -> None:
    create_atom(tree)
    head = "---\nid: K-001\ndate: 2026-05-06\nproject: flywheel\nsummary: s\ntags: [t]\n"
    tree.write("projects/flywheel/knowledge/K-001.md", f"{head}evidence: [EXP-001]\n---\n# K-001\n")
    before = photograph(tree)
    ran = tree.run("undo")
    assert (ran.code, photograph(tree)) == (3, before)
    assert "`flywheel/K-001` cites `EXP-001`, which would be removed" in ran.err


def test_a_ref_that_dangled_before_the_change_does_not_stop_undo(tree: Place) -> None:
    head = "---\nid: K-001\ndate: 2026-05-06\nproject: flywheel\nsummary: s\ntags: [t]\n"
    tree.write("projects/flywheel/knowledge/K-001.md", f"{head}evidence: [EXP-001]\n---\n# K-001\n")
    tree.git("add", ".")
    tree.git("commit", "-qm", "it is to come")
    before = photograph(tree)
    create_atom(tree)
    tree.ok("undo")
    assert {**photograph(tree), f"{EXPERIMENTS}/index.md": b""} == {
        **before,
        f"{EXPERIMENTS}/index.md": b"",
    }


def test_the_commit_that_created_the_tree_cannot_be_undone(tmp_path: Path) -> None:
    place = Place(tmp_path / "fresh")
    place.root.mkdir()
    place.ok("init", str(place.root))
    before = photograph(place)
    ran = place.run("undo")
    assert (ran.code, photograph(place)) == (3, before)
    assert "would remove the tree" in ran.err


def test_without_git_it_is_refused_with_a_hint(tree: Place) -> None:
    create_atom(tree)
    shutil.rmtree(tree.root / ".git")
    for words in (("undo",), ("log",), ("diff", "EXP-001"), ("show", "EXP-001", "--at", "HEAD")):
        ran = tree.run(*words)
        assert ran.code == 3
        assert "no git repository" in ran.err
        assert " hint: `cortexfs init`" in ran.err
        ran = tree.run(*words, PATH="/nowhere")
        assert "git is not installed" in ran.err


def test_in_the_middle_of_a_merge_it_is_refused(tree: Place) -> None:
    create_atom(tree)
    tree.git("checkout", "-qb", "other", "HEAD~1")
    tree.write(ATOM, "theirs\n")
    tree.git("add", ".")
    tree.git("commit", "-qm", "theirs")
    tree.run("list")
    with pytest.raises(Exception, match="merge"):
        tree.git("merge", "-q", "main")
    ran = tree.run("undo")
    assert (ran.code, "a merge is in progress" in ran.err) == (3, True)


def test_a_change_of_a_binary_file_is_left_to_git(tree: Place) -> None:
    (tree.root / "picture.png").write_bytes(b"\x89PNG\xff\xfe")
    tree.ok("commit", "-m", "a picture")
    ran = tree.run("undo")
    assert (ran.code, "picture.png is not text" in ran.err) == (3, True)
    assert (tree.root / "picture.png").exists()
