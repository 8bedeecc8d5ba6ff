"""Locks that nobody waits for: of several processes one does the work, the others leave it."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cortexfs.tree.atomic_files import open_private_file
from cortexfs.tree.safe_open import open_private_folder

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def try_lock(folder_fd: int, name: str) -> Iterator[bool]:
    """Yield whether the lock of this name was free; if so, it is held until the end of the block.

    Raises `OSError` if the name is that of a link, folder, pipe or device.
    """
    file = open_private_file(folder_fd, name, os.O_RDWR | os.O_CREAT)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            is_free = False
        else:
            is_free = True
        yield is_free
    finally:
        os.close(file)


@contextmanager
def try_private_lock(root: str, path: str) -> Iterator[bool]:
    """Yield whether the lock at a path below `.cortexfs` was free, as `try_lock` does."""
    *folders, name = path.split("/")
    with open_private_folder(root, *folders) as at, try_lock(at, name) as is_free:
        yield is_free
