"""What lies below `.cortexfs` is untrusted: only regular files are opened, and nothing hangs."""

from __future__ import annotations

import os
import shutil
import socket
from typing import TYPE_CHECKING

import pytest
from command_server import run_forked
from soak_cases import leave_to_soak

from cortexfs.catalog.catalog_files import catalog_path

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

CATALOG = catalog_path("")
FOLDERS = ("spool", "spool/new", "replaced")
READ_FILES = (CATALOG, f"{CATALOG}-wal", f"{CATALOG}-shm")
NAMES = (*READ_FILES, *FOLDERS, "pending.jsonl", ".gitignore", "spool/awake")
"""All but the lock, which has tests of its own."""
READING = ("list",)
END_IF_IT_HANGS = "import signal; signal.alarm(60)"
WRITING = ("new", "experiment", "-p", "flywheel", "-s", "One", "-t", "a")


def _replace(path: Path, kind: str, outside: Path) -> None:
    """Replace a file or folder, if it exists, by something that is not a regular file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if os.path.lexists(path):
        path.rename(outside / "original")
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "link":
        path.symlink_to(outside / "target")
    else:
        with socket.socket(socket.AF_UNIX) as listener:
            folder = os.open(path.parent, os.O_RDONLY)
            listener.bind(f"/proc/self/fd/{folder}/{path.name}")
            os.close(folder)


@pytest.mark.parametrize("kind", leave_to_soak(["pipe", "folder", "link", "socket"], every=2))
def test_a_special_file_in_our_own_folder_hangs_no_command_and_leads_nowhere(
    tree: Place, tmp_path: Path, kind: str, soak: bool
) -> None:
    own, intact, outside = tree.root / ".cortexfs", tmp_path / "intact", tmp_path / "outside"
    own.rename(intact)
    for name in NAMES if soak or kind == "pipe" else ("pending.jsonl", CATALOG):
        if kind == "folder" and name in FOLDERS:
            continue
        for words in (READING, WRITING) if name in READ_FILES else (WRITING,):
            shutil.copytree(intact, own)
            outside.mkdir()
            _replace(own / name, kind, outside)
            typed = ("--root", str(tree.root), *words)
            ran = run_forked(typed, str(tree.root), dict(os.environ), before=END_IF_IT_HANGS)
            assert ran.returncode in {0, 1, 3}, (name, words, ran)
            assert {path.name for path in outside.iterdir()} <= {"original"}, (name, words)
            shutil.rmtree(own)
            shutil.rmtree(outside)
