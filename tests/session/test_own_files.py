"""What lies below `.cortexfs` is untrusted: only regular files are opened, and nothing hangs."""

from __future__ import annotations

import os
import socket
import subprocess
from typing import TYPE_CHECKING

import pytest

from cortexfs.catalog.database_file import catalog_path

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

CATALOG = catalog_path("")
NAMES = (
    *("lock", "pending.jsonl", ".gitignore", "spool", "spool/new", "spool/awake", "replaced"),
    *(CATALOG, f"{CATALOG}-wal", f"{CATALOG}-shm"),
)
NEW = ("new", "experiment", "-p", "flywheel", "-s", "One", "-t", "a")


def _put(path: Path, kind: str, aside: Path) -> None:
    """Put something that is no regular file in the place of a file or folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if os.path.lexists(path):
        path.rename(aside / "before")
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "link":
        path.symlink_to(aside / "outside")
    else:
        with socket.socket(socket.AF_UNIX) as listening:
            folder = os.open(path.parent, os.O_RDONLY)
            listening.bind(f"/proc/self/fd/{folder}/{path.name}")
            os.close(folder)


@pytest.mark.parametrize("kind", ["pipe", "folder", "link", "socket"])
@pytest.mark.parametrize("name", NAMES)
def test_a_special_file_of_our_own_hangs_no_command_and_leads_nowhere(
    tree: Place, tmp_path: Path, name: str, kind: str, soak: bool
) -> None:
    if kind == "folder" and name in {"spool", "spool/new", "replaced"}:
        return  # that is what they are
    if not soak and kind != "pipe" and name not in {"lock", "pending.jsonl", CATALOG}:
        return
    aside = tmp_path / "aside"
    aside.mkdir()
    _put(tree.root / ".cortexfs" / name, kind, aside)
    for words in (("list",), NEW):
        argv = ["cortexfs", "--root", str(tree.root), *words]
        ran = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
        assert ran.returncode in {0, 1, 3}, (words, ran)
    assert {path.name for path in aside.iterdir()} <= {"before"}
