"""The tree of a command: the first of five ways that names one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cortexfs.session.find_root import find_root
from cortexfs.tree.recognize_tree import cortex_home, is_tree

if TYPE_CHECKING:
    from pathlib import Path

WAYS = ("--root", "CORTEXFS_ROOT", "CORTEX_HOME", "the folders above", "the home")


def _make_tree(root: Path) -> str:
    (root / "projects").mkdir(parents=True)
    (root / "CORTEX.md").touch()
    return str(root)


@pytest.mark.parametrize("first", range(len(WAYS)), ids=WAYS)
def test_the_first_way_that_names_a_root_wins(first: int, tmp_path: Path, world: Path) -> None:
    outer_tree = _make_tree(tmp_path / "around")
    deep = tmp_path / "around/projects/p/deep"
    deep.mkdir(parents=True)
    expected = [
        str(deep / "asked"),
        str(tmp_path / "root"),
        str(tmp_path / "home-of-it/context"),
        outer_tree,
        str(world / ".cortex/context"),
    ]
    environ = {"CORTEXFS_ROOT": expected[1], "CORTEX_HOME": str(tmp_path / "home-of-it")}
    for way in WAYS[1 : min(first, 3)]:
        environ[way] = ""
    cwd = str(deep) if first < 4 else str(tmp_path)
    assert find_root("asked" if first < 1 else None, environ, cwd) == expected[first]


@pytest.mark.parametrize("said", ["--root", "CORTEXFS_ROOT"])
def test_a_root_is_relative_to_the_working_directory_or_the_home(
    said: str, tmp_path: Path, world: Path
) -> None:
    for path, expected in {"../x/": tmp_path / "x", "~/x": world / "x", "/x/../y": "/y"}.items():
        root_option = path if said == "--root" else None
        environ = {} if root_option else {said: path}
        assert find_root(root_option, environ, str(tmp_path / "deep")) == str(expected)


def test_the_nearest_folder_above_with_both_marks_is_the_tree(tmp_path: Path) -> None:
    outer, inner = _make_tree(tmp_path / "outer"), _make_tree(tmp_path / "outer/projects/inner")
    for here, expected in {outer: outer, inner: inner, f"{inner}/projects": inner}.items():
        assert find_root(None, {}, here) == expected
    (tmp_path / "outer/projects/inner/CORTEX.md").unlink()
    assert (is_tree(inner), find_root(None, {}, inner)) == (False, outer)
    (tmp_path / "outer/projects/inner/CORTEX.md").touch()
    (tmp_path / "outer/projects/inner/projects").rmdir()
    assert (is_tree(inner), find_root(None, {}, inner)) == (False, outer)


def test_the_home_of_hooks_comes_from_the_environment_or_the_home(world: Path) -> None:
    assert cortex_home({}) == cortex_home({"CORTEX_HOME": ""}) == str(world / ".cortex")
    assert cortex_home({"CORTEX_HOME": "~/mine/"}) == str(world / "mine")
