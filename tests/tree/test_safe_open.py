from __future__ import annotations

import os
import stat
import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.changes.plan import Append, Write
from cortexfs.errors import AtomChanged, OutsideTree
from cortexfs.tree import atomic_files
from cortexfs.tree.safe_open import open_folder, open_private_folder, split_path
from cortexfs.tree.tree import Tree
from cortexfs.tree.write_files import append_lines, write_files

if TYPE_CHECKING:
    from pathlib import Path

OUTSIDE_PATHS = [
    "/etc/passwd",
    "../outside",
    "projects/../../outside",
    "projects/p/..",
    "projects//p",
    "projects/p/",
    "./projects",
    "a\0b",
    "projects\\p",
    "..\\outside",
    ".",
    "..",
    "/",
]
STEPS = st.text("ab.é- ", min_size=1, max_size=4).filter(lambda step: step not in {".", ".."})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A tree, and beside it a folder with a secret that nobody may reach from within."""
    (tmp_path / "tree" / "projects" / "p" / "experiments").mkdir(parents=True)
    (tmp_path / "tree" / "CORTEX.md").write_text("# Tree\n")
    (tmp_path / "outside" / "experiments").mkdir(parents=True)
    (tmp_path / "outside" / "secret.md").write_text("secret\n")
    (tmp_path / "outside" / "experiments" / "secret.md").write_text("secret\n")
    return tmp_path / "tree"


def outside(root: Path) -> dict[str, bytes]:
    """Give all that lies outside of the tree."""
    outside_folder = root.parent / "outside"
    return {str(path): path.read_bytes() for path in outside_folder.rglob("*") if path.is_file()}


def try_each_write(root: Path, path: str) -> None:
    """Try each way of writing at a path."""
    tree = Tree(str(root))
    for write in (
        lambda: write_files(tree.root, [Write(path, "ours\n")]),
        lambda: write_files(tree.root, [Write(path, "ours\n", "secret\n")]),
        lambda: append_lines(tree.root, Append(path, ("ours\n",))),
    ):
        with pytest.raises((OutsideTree, AtomChanged, OSError, ValueError)):
            write()


@pytest.mark.parametrize("path", OUTSIDE_PATHS)
def test_a_path_that_could_leave_the_tree_is_refused(root: Path, path: str) -> None:
    with pytest.raises(OutsideTree):
        split_path(path)
    before = outside(root)
    try_each_write(root, path)
    assert Tree(str(root)).is_file(path) is False
    assert outside(root) == before


@given(st.lists(STEPS, min_size=1, max_size=5))
def test_every_other_path_is_split_into_its_steps(steps: list[str]) -> None:
    assert split_path("/".join(steps)) == steps


LINKS = {
    "the file": ("projects/p/experiments/EXP-001.md", "../../../../outside/secret.md"),
    "its folder": ("projects/p/knowledge", "../../../outside/experiments"),
    "the project": ("projects/q", "../../outside"),
    "a link to a link": ("projects/p/knowledge", "chain"),
    "an absolute link": ("projects/q", "OUTSIDE"),
    "a link that stays inside": ("projects/q", "p"),
}
REACHED = {
    "the file": "projects/p/experiments/EXP-001.md",
    "its folder": "projects/p/knowledge/secret.md",
    "the project": "projects/q/experiments/secret.md",
    "a link to a link": "projects/p/knowledge/secret.md",
    "an absolute link": "projects/q/experiments/secret.md",
    "a link that stays inside": "projects/q/experiments/secret.md",
}


@pytest.mark.parametrize("which", LINKS)
def test_no_link_is_followed_at_any_step(root: Path, which: str) -> None:
    link, target = LINKS[which]
    (root / "projects/p/chain").symlink_to("../../../outside/experiments")
    (root / link).symlink_to(target.replace("OUTSIDE", str(root.parent / "outside")))
    tree, path, before = Tree(str(root)), REACHED[which], outside(root)
    with pytest.raises((OutsideTree, OSError)):
        tree.read_bytes(path)
    assert getattr(tree.read_text_or_flaw(path), "code", "") == "symlink"
    assert not tree.is_file(path)
    try_each_write(root, path)
    assert outside(root) == before
    assert os.path.islink(root / link)


@pytest.mark.parametrize("name", [".cortexfs", ".cortexfs/spool"])
def test_a_link_in_place_of_our_own_folder_is_not_followed(root: Path, name: str) -> None:
    if "/" in name:
        (root / ".cortexfs").mkdir()
    (root / name).symlink_to(root.parent / "outside")
    before = outside(root)
    with pytest.raises(OutsideTree), open_private_folder(str(root), "spool", "new"):
        raise AssertionError
    assert outside(root) == before


def test_the_root_itself_may_be_a_link(root: Path) -> None:
    (root.parent / "link").symlink_to(root)
    tree = Tree.open(str(root.parent / "link"))
    write_files(tree.root, [Write("projects/p/experiments/EXP-001.md", "ours\n")])
    assert (root / "projects/p/experiments/EXP-001.md").read_text() == "ours\n"
    assert tree.list_projects() == ["p"]


def test_a_new_folder_is_as_private_as_its_parent(root: Path) -> None:
    before = os.umask(0)
    try:
        (root / "projects").chmod(0o750)
        with open_folder(str(root), "projects/new/knowledge", create=True):
            pass
        with open_private_folder(str(root), "spool"):
            pass
    finally:
        os.umask(before)
    modes = {
        path: stat.S_IMODE((root / path).stat().st_mode)
        for path in ("projects/new", "projects/new/knowledge", ".cortexfs", ".cortexfs/spool")
    }
    assert list(modes.values()) == [0o750, 0o750, 0o700, 0o700]
    assert (root / ".cortexfs" / ".gitignore").read_text() == "*\n"


def test_an_existing_private_folder_becomes_private(root: Path) -> None:
    steps = (".cortexfs", ".cortexfs/spool", ".cortexfs/spool/new")
    (root / steps[-1]).mkdir(parents=True)
    for step in steps:
        (root / step).chmod(0o777)
    with open_private_folder(str(root), "spool", "new"):
        pass
    assert {stat.S_IMODE((root / step).stat().st_mode) for step in steps} == {0o700}


@pytest.mark.parametrize("make", [False, True])
def test_no_descriptor_stays_open(root: Path, make: bool) -> None:
    (root / "projects/q").symlink_to("../../outside")
    (root / "projects/file").write_text("")
    before = len(os.listdir("/dev/fd"))
    for path in ("projects/p", "projects/q/experiments", "projects/file/x", "projects/none"):
        for _ in range(20):
            try:
                with open_folder(str(root), path, create=make):
                    pass
            except (OSError, OutsideTree):
                continue
    assert len(os.listdir("/dev/fd")) == before


def test_a_folder_swapped_for_a_link_lets_no_write_out(root: Path) -> None:
    outside_folder, aside, link = root / "projects/p", root / "projects/.p", root / "projects/.link"
    link.symlink_to(root.parent / "outside")
    before, stop, swaps = outside(root), threading.Event(), [0]

    def swap() -> None:
        while not stop.is_set():
            os.rename(outside_folder, aside)
            os.rename(link, outside_folder)
            os.rename(outside_folder, link)
            os.rename(aside, outside_folder)
            swaps[0] += 1

    swapping = threading.Thread(target=swap)
    swapping.start()
    refused = 0
    try:
        for number in range(2000):
            try:
                with open_folder(str(root), "projects/p/experiments") as at:
                    atomic_files.create_file(at, f"EXP-{number:04}.md", b"ours\n")
            except (FileNotFoundError, NotADirectoryError, OutsideTree):
                refused += 1
    finally:
        stop.set()
        swapping.join()
    assert outside(root) == before
    assert len(list((outside_folder / "experiments").iterdir())) == 2000 - refused
    assert refused
    assert swaps[0]


@pytest.mark.parametrize("what", ["link", "file", "pipe"])
@pytest.mark.parametrize("step", [".cortexfs", ".cortexfs/spool"])
def test_a_file_with_the_name_of_our_folder_is_refused_with_a_command_that_helps(
    root: Path, step: str, what: str
) -> None:
    (root / step).parent.mkdir(exist_ok=True)
    match what:
        case "link":
            (root / step).symlink_to("../outside")
        case "file":
            (root / step).touch()
        case "pipe":
            os.mkfifo(root / step)
    before = outside(root)
    with (
        pytest.raises(OutsideTree, match=f"{step} is ") as refused,
        open_private_folder(str(root), "spool"),
    ):
        pass
    assert f"`rm {root / step}`" in str(refused.value.hint)
    assert outside(root) == before
    (root / step).unlink()
    with open_private_folder(str(root), "spool"):
        pass


@pytest.mark.parametrize("what", ["link", "pipe", "folder"])
def test_a_gitignore_that_is_not_a_file_is_left_alone(root: Path, what: str) -> None:
    ignore = root / ".cortexfs/.gitignore"
    ignore.parent.mkdir()
    match what:
        case "link":
            ignore.symlink_to("../../outside/made")
        case "pipe":
            os.mkfifo(ignore)
        case "folder":
            ignore.mkdir()
    with open_private_folder(str(root)):
        pass
    assert not (root.parent / "outside/made").exists()
