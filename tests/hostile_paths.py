"""Replace a file or folder by whatever a file system knows, and see what lies beside a tree."""

from __future__ import annotations

import os
import shutil
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LARGE = 10_000_000
ORIGINAL = "original"
"""The name, outside the tree, of what was replaced."""


def replace(path: Path, kind: str, outside: Path, traversal: bytes) -> None:
    """Put something else in the place of a file or folder; what stood there is moved outside."""
    if kind == "mode 000":
        path.chmod(0, follow_symlinks=True)
        return
    path.rename(outside / ORIGINAL)
    if kind == "symlink":
        path.symlink_to(outside / ORIGINAL)
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        os.mknod(path, 0o600 | stat.S_IFSOCK)
    elif kind == "folder":
        path.mkdir()
        (path / "inner").write_text("")
    else:
        path.write_bytes(
            {"garbage": bytes(range(256)), "large": b"x" * LARGE, "traversal": traversal}[kind]
        )


def snapshot_outside(folder: Path) -> dict[str, bytes | int]:
    """Return all that lies in a folder beside its `tree`, and what it holds."""
    return {
        str(path): path.read_bytes() if path.is_file() else path.lstat().st_mode
        for path in sorted(folder.rglob("*"))
        if not path.is_relative_to(folder / "tree")
    }


def snapshot_times(folder: Path) -> dict[str, int]:
    """Return when each file and folder of a folder, itself included, was last modified."""
    return {str(path): path.lstat().st_mtime_ns for path in (folder, *sorted(folder.rglob("*")))}


def forget_original(outside: Path) -> None:
    """Remove what the last replacement has moved outside."""
    for left in outside.glob(ORIGINAL):
        left.chmod(0o700, follow_symlinks=True)
        shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()


def remove_tree(root: Path) -> None:
    """Remove a tree, whatever the modes of its folders."""
    for above, folders, _ in os.walk(root):
        for name in folders:
            inner = os.path.join(above, name)
            if not os.path.islink(inner):
                os.chmod(inner, 0o700)
    shutil.rmtree(root)
