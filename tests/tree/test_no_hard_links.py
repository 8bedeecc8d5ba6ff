"""On a file system without hard links a new file still replaces nothing, and all is committed."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_rows_to_soak, leave_to_soak

from cortexfs.tree import atomic_files, compare_and_swap, exclusive_rename
from cortexfs.tree.safe_open import open_folder

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

ERRORS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS)

RUN_WITHOUT_LINKS = """
import os, sys

code = int(sys.argv.pop(1))
renames = sys.argv.pop(1) == "renames"


def link(*args, **words):
    raise OSError(code, os.strerror(code))


os.link = link
from cortexfs.tree import exclusive_rename

if not renames:
    exclusive_rename._load_renameat2 = lambda: None
from cortexfs.__main__ import main

main()
"""
"""Run cortexfs where no file can get a second name; and none be moved to a free one, or it can."""


def run_without_links(
    place: Place, code: int, fallback: str, *words: str
) -> subprocess.CompletedProcess[str]:
    argv = [
        sys.executable,
        "-c",
        RUN_WITHOUT_LINKS,
        str(code),
        fallback,
        "--root",
        str(place.root),
        *words,
    ]
    return subprocess.run(argv, cwd=place.root, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("code", "fallback"),
    leave_rows_to_soak([*zip(ERRORS, ("renames", "creates", "renames"), strict=True)], every=2),
)
def test_commands_work_without_hard_links(tree: Place, code: int, fallback: str) -> None:
    new = ("new", "experiment", "-p", "flywheel", "-s", "It spins", "-t", "t")
    for words in (new, ("mark", "flywheel/EXP-001", "valid", "--reason", "seen"), ("undo",)):
        ran = run_without_links(tree, code, fallback, *words)
        assert (ran.returncode, "hint" in ran.stderr) == (0, False), ran
    assert tree.git("status", "--porcelain") == ""
    assert tree.git("log", "-1", "--format=%s").startswith("undo: ")
    assert not list(tree.root.rglob("*cortexfs-draft*"))
    assert "index.lock" not in os.listdir(tree.root / ".git")


@pytest.mark.parametrize("fallback", leave_to_soak(["renames", "creates"], every=2))
def test_concurrent_new_commands_make_different_atoms(tree: Place, fallback: str) -> None:
    def make(number: int) -> str:
        words = ("experiment", "-p", "flywheel", "-s", f"No {number}", "-t", "t", "-q")
        return run_without_links(tree, errno.ENOTSUP, fallback, "new", *words).stdout

    with ThreadPoolExecutor(4) as pool:
        assert "" not in [*pool.map(make, range(4))]
    atoms = (tree.root / "projects/flywheel/experiments").glob("EXP-*.md")
    summaries = sorted(re.findall("No [0-9]", path.read_text())[0] for path in atoms)
    assert summaries == [f"No {number}" for number in range(4)]


@pytest.mark.parametrize("rename", [True, False])
@pytest.mark.parametrize("code", ERRORS)
def test_an_existing_file_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, *, rename: bool
) -> None:
    disable_links(monkeypatch, code, rename=rename)
    (tmp_path / "a").write_text("theirs\n")
    with open_folder(str(tmp_path), "") as at:
        with pytest.raises(FileExistsError):
            atomic_files.create_file(at, "a", b"ours\n")
        atomic_files.create_file(at, "b", b"ours\n")
        assert not atomic_files.can_hard_link(at)
    assert {path.name: path.read_text() for path in tmp_path.iterdir() if path.is_file()} == {
        "a": "theirs\n",
        "b": "ours\n",
    }


@pytest.mark.parametrize("rename", [True, False])
def test_a_file_saved_during_its_removal_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, rename: bool
) -> None:
    disable_links(monkeypatch, errno.ENOTSUP, rename=rename)
    (tmp_path / "a").write_text("old\n")
    real = os.rename

    def save_then_rename(source: str, target: str, **words: int) -> None:
        (tmp_path / "a").write_text("saved\n")
        real(source, target, **words)

    monkeypatch.setattr(os, "rename", save_then_rename)
    with open_folder(str(tmp_path), "") as at, pytest.raises(compare_and_swap.ContentDiffers):
        compare_and_swap.remove_if_unchanged(at, "a", b"old\n")
    assert [path.read_text() for path in tmp_path.iterdir() if path.is_file()] == ["saved\n"]


def disable_links(monkeypatch: pytest.MonkeyPatch, code: int, *, rename: bool) -> None:
    def link(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "link", link)
    if not rename:
        monkeypatch.setattr(exclusive_rename, "_load_renameat2", lambda: None)


def test_doctor_reports_missing_hard_links(tree: Place) -> None:
    assert "no hard links" in run_without_links(tree, errno.EPERM, "renames", "doctor").stdout
    assert "no hard links" not in tree.run("doctor").out
