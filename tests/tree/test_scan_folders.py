"""A folder with the known digest has the same files; any change gives it another one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from cortexfs.core.atoms.kinds import Kinds
from cortexfs.tree import scan_folders
from cortexfs.tree.list_and_stamp_files import stamp_paths
from cortexfs.tree.scan_folders import UNKNOWN_DIGEST, FolderDigest, scan_tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FOLDER = "projects/p/experiments"
OTHER = "projects/q/experiments"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in (FOLDER, OTHER):
        (tmp_path / folder).mkdir(parents=True)
        for name in ("EXP-001.md", "EXP-002.md"):
            (tmp_path / folder / name).write_text(name)
    wait_for_a_tick(tmp_path)
    return tmp_path


def wait_for_a_tick(root: Path) -> None:
    """Return when a file gets another time than one that was written before."""
    probe = root / "probe"
    probe.touch()
    first = probe.stat().st_ctime_ns
    while probe.stat().st_ctime_ns == first:
        probe.touch()


def replace_by_twin(folder: Path) -> None:
    """Put a file of the same size and mtime in the place of another one."""
    old = (folder / "EXP-001.md").stat()
    (folder / "twin").write_text("exp-001.MD")
    os.utime(folder / "twin", ns=(old.st_atime_ns, old.st_mtime_ns))
    (folder / "twin").replace(folder / "EXP-001.md")


def swap_names(folder: Path) -> None:
    (folder / "EXP-001.md").rename(folder / "kept")
    (folder / "EXP-002.md").rename(folder / "EXP-001.md")
    (folder / "kept").rename(folder / "EXP-002.md")


CHANGES: dict[str, Callable[[Path], object]] = {
    "written": lambda folder: (folder / "EXP-001.md").write_text("exp-001.MD"),
    "added": lambda folder: (folder / "EXP-003.md").touch(),
    "removed": lambda folder: (folder / "EXP-001.md").unlink(),
    "renamed": lambda folder: (folder / "EXP-001.md").rename(folder / "EXP-003.md"),
    "swapped": swap_names,
    "replaced": replace_by_twin,
    "linked": lambda folder: (folder / "EXP-003.md").hardlink_to(folder / "EXP-001.md"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_each_change_of_a_folder_is_seen(root: Path, change: Callable[[Path], object]) -> None:
    known = scan_tree(str(root), Kinds(), {}).folders
    again = scan_tree(str(root), Kinds(), known)
    assert (again.folders, again.differing, again.packed) == (known, frozenset(), {})
    change(root / FOLDER)
    scan = scan_tree(str(root), Kinds(), known)
    assert scan.differing == {FOLDER}
    names = sorted(entry.name for entry in (root / FOLDER).iterdir())
    assert sorted(scan.make_stamps()) == [f"{FOLDER}/{name}" for name in names]
    assert scan.folders[OTHER] == known[OTHER]


def test_a_folder_without_files_any_more_differs(root: Path) -> None:
    known = scan_tree(str(root), Kinds(), {}).folders
    (root / FOLDER).rename(root / "projects/p/other")
    scan = scan_tree(str(root), Kinds(), known)
    assert (scan.differing, FOLDER in scan.folders) == ({FOLDER}, False)


def test_a_folder_with_an_unknown_digest_always_differs(root: Path) -> None:
    known = {**scan_tree(str(root), Kinds(), {}).folders, FOLDER: FolderDigest(UNKNOWN_DIGEST, 2)}
    assert scan_tree(str(root), Kinds(), known).differing == {FOLDER}
    far = scan_folders.ScannedFolder(["EXP-001.md"], [1, 1 << 70, 1], [])
    assert far.compute_digest().digest == UNKNOWN_DIGEST


def test_files_with_two_names_are_listed(root: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").hardlink_to(root / FOLDER / "EXP-001.md")
    known = scan_tree(str(root), Kinds(), {}).folders
    assert scan_tree(str(root), Kinds(), known).linked == {f"{FOLDER}/EXP-001.md"}


def test_single_paths_are_stamped_as_by_a_scan(root: Path) -> None:
    (root / "projects/linked").symlink_to(root / "projects/p")
    (root / "projects/.p").mkdir()
    (root / "projects/.p/experiments").symlink_to(root / FOLDER)
    stamps = scan_tree(str(root), Kinds(), {}).make_stamps()
    wrong = [f"projects/{name}/experiments/EXP-001.md" for name in ("linked", ".p", "q", "\ud800")]
    wrong += ["projects/p/EXP-001.md", "projects/p", "EXP-001.md", f"{FOLDER}/notes.txt"]
    assert stamp_paths(str(root), Kinds(), [*stamps, *wrong]) == stamps
