"""Laws of the whole: what must be true of every tree, whatever lies in it."""

from __future__ import annotations

import shutil
from datetime import timedelta

import oracle
from growing import (
    FOLDERS,
    NOW,
    Files,
    foreseen,
    planted,
    regen,
    said,
    snapshot,
    trees,
)
from hypothesis import given, settings
from hypothesis import strategies as st


@settings(max_examples=80, deadline=None)
@given(trees())
def test_every_index_says_what_an_independent_reckoning_says(files: Files) -> None:
    with planted(files) as root:
        wanted = foreseen(root)
        regen(root)
        assert said(root) == wanted


@settings(max_examples=30, deadline=None)
@given(trees())
def test_a_second_regen_changes_not_a_byte_and_not_an_mtime(files: Files) -> None:
    with planted(files) as root:
        regen(root)
        before = snapshot(root)
        assert regen(root, NOW + timedelta(hours=1)).plan.writes == ()
        shutil.rmtree(root / ".cortexfs")
        regen(root, NOW + timedelta(hours=2))
        assert snapshot(root) == before


@settings(max_examples=30, deadline=None)
@given(trees(), st.randoms(use_true_random=False))
def test_the_order_in_which_files_were_made_shows_nowhere(files: Files, chance: object) -> None:
    paths = list(files)
    chance.shuffle(paths)
    with planted(files) as one, planted({path: files[path] for path in paths}) as other:
        regen(one)
        regen(other)
        assert {path: text for path, (text, _) in snapshot(one).items()} == {
            path: text for path, (text, _) in snapshot(other).items()
        }


@settings(max_examples=40, deadline=None)
@given(trees())
def test_atoms_carry_true_refs_where_they_carry_any_and_not_a_byte_else_changes(
    files: Files,
) -> None:
    with planted(files) as root:
        wanted = foreseen(root)
        regen(root)
        for path, before in files.items():
            if path.split("/")[2:3] and path.split("/")[2] in FOLDERS and "index" not in path:
                _is_true((root / path), before, wanted[path.rpartition("/")[0]])


def _is_true(path: object, before: bytes, index: oracle.Index) -> None:
    ...
