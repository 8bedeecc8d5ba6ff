"""Read the beginning of a file of any size, as git would commit it."""

from __future__ import annotations

import os
import stat

from cortexfs.tree.atomic_files import READ_FLAGS
from cortexfs.tree.safe_open import open_folder


def read_head(root: str, path: str, max_bytes: int) -> bytes:
    """Return the first bytes of a regular file, or the target of a symlink; else nothing.

    Raises `OSError` or `OutsideTree`.
    """
    above, _, name = path.rpartition("/")
    with open_folder(root, above) as at:
        mode = os.stat(name, dir_fd=at, follow_symlinks=False).st_mode
        if stat.S_ISLNK(mode):
            return os.fsencode(os.readlink(name, dir_fd=at))
        if not stat.S_ISREG(mode):
            return b""
        with open(os.open(name, READ_FLAGS, dir_fd=at), "rb") as opened:
            return opened.read(max_bytes)
