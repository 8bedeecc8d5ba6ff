"""Files that mark a place in a queue of events: each is created for one question, and removed."""

from __future__ import annotations

import os
from contextlib import suppress

from cortexfs.tree.safe_open import open_private_folder

COOKIE_FOLDER = "watch"
"""The private folder of these files; several processes use it."""


def make_cookie(root: str, name: str) -> None:
    """Create a file, and remove it; raises `OSError` on a full disk, say."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with open_private_folder(root, COOKIE_FOLDER) as at:
        os.close(os.open(name, flags, 0o600, dir_fd=at))
        with suppress(FileNotFoundError):  # another process takes it for a left one
            os.unlink(name, dir_fd=at)


def remove_left_cookies(folder_fd: int) -> None:
    """Remove the files of processes that were killed at that moment."""
    for name in os.listdir(folder_fd):
        with suppress(OSError):
            os.unlink(name, dir_fd=folder_fd)
