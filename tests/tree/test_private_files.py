"""Derived private files: written where they differ, over links and pipes, and never outside."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cortexfs.tree.private_files import (
    remove_old_drafts,
    remove_private_files,
    replace_locked_file,
    write_private_file,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_is_written_only_where_it_differs(tmp_path: Path) -> None:
    path = tmp_path / ".cortexfs/a/b/file"
    assert write_private_file(str(tmp_path), "a/b/file", b"one")
    before = path.stat()
    assert not write_private_file(str(tmp_path), "a/b/file", b"one")
    assert path.stat().st_ino == before.st_ino
    assert write_private_file(str(tmp_path), "a/b/file", b"two")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"two", 0o600)
    assert [each.name for each in path.parent.iterdir()] == ["file"]


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_link_or_pipe_is_replaced_and_not_followed(tmp_path: Path, kind: str) -> None:
    (tmp_path / ".cortexfs").mkdir()
    outside = tmp_path / "outside"
    outside.write_text("mine")
    path = tmp_path / ".cortexfs/file"
    path.symlink_to(outside) if kind == "link" else os.mkfifo(path)
    assert write_private_file(str(tmp_path), "file", b"mine")
    assert stat.S_ISREG(path.lstat().st_mode)
    assert outside.read_text() == "mine"


def test_a_folder_of_that_name_stays_without_a_draft_beside_it(tmp_path: Path) -> None:
    (tmp_path / ".cortexfs/a/file").mkdir(parents=True)
    assert not write_private_file(str(tmp_path), "a/file", b"one")
    assert [each.name for each in (tmp_path / ".cortexfs/a").iterdir()] == ["file"]


def test_unwanted_files_and_old_drafts_are_removed_and_folders_stay(tmp_path: Path) -> None:
    folder = tmp_path / ".cortexfs/a"
    (folder / "old-folder").mkdir(parents=True)
    outside = tmp_path / "outside"
    outside.touch()
    (folder / "old-link").symlink_to(outside)
    write_private_file(str(tmp_path), "a/old", b"")
    write_private_file(str(tmp_path), "a/new", b"")
    draft = folder / ".cortexfs-draft.1.2"
    draft.touch()
    os.utime(draft, (0, 0))
    removed = remove_private_files(str(tmp_path), "a", lambda name, _: name.startswith("old"))
    assert removed == ["old", "old-link"]
    assert sorted(each.name for each in folder.iterdir()) == ["new", "old-folder"]
    assert outside.exists()


DIE_BEFORE_RENAME = """
import os, signal, sys
from cortexfs.tree.private_files import replace_locked_file
os.rename = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
replace_locked_file(os.open(sys.argv[1], os.O_RDONLY), "state", b"half")
"""


def test_what_a_killed_process_left_of_a_locked_file_is_replaced_by_the_next(
    tmp_path: Path,
) -> None:
    place = tmp_path / "private"
    place.mkdir()
    killed = subprocess.run([sys.executable, "-c", DIE_BEFORE_RENAME, place], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(list(place.iterdir())) == 1  # its draft
    folder = os.open(place, os.O_RDONLY)
    replace_locked_file(folder, "state", b"whole")
    os.close(folder)
    assert [(each.name, each.read_bytes()) for each in place.iterdir()] == [("state", b"whole")]


@pytest.mark.parametrize("inner", ["", "spool/new", "crash", "replaced"])
def test_old_drafts_in_folders_of_all_processes_are_removed(tmp_path: Path, inner: str) -> None:
    folder = tmp_path / ".cortexfs" / inner
    folder.mkdir(parents=True)
    for name in ("old", "new"):
        (folder / f".cortexfs-draft.1.{name}").touch()
    os.utime(folder / ".cortexfs-draft.1.old", (0, 0))
    remove_old_drafts(str(tmp_path))
    assert [each.name for each in folder.iterdir()] == [".cortexfs-draft.1.new"]
