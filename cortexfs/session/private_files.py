"""Derived private files below `.cortexfs`, which hooks read: written only where they differ."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.tree import atomic_files
from cortexfs.tree.safe_open import open_private_folder
from cortexfs.tree.user_settings import list_source_folders

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.tree.tree import Tree

MAX_BYTES = 16 << 20
"""Maximum bytes of a private file that are compared; a longer one is written again."""


def write_private_file(tree: Tree, path: str, content: bytes) -> bool:
    """Write a file below `.cortexfs` in one step, if it has another content; return whether.

    A folder with its name stays, and nothing is written.
    """
    *folders, name = path.split("/")
    with open_private_folder(tree.root, *folders) as at:
        with suppress(OSError, atomic_files.FileTooLarge, atomic_files.NotRegularFile):
            if atomic_files.read_file_bytes(at, name, MAX_BYTES) == content:
                return False
        try:
            with atomic_files.write_draft(at, content, 0o600) as draft:
                os.rename(draft, name, src_dir_fd=at, dst_dir_fd=at)
        except IsADirectoryError:
            return False
    return True


def remove_old_private_files(tree: Tree, folder: str, before_s: float) -> int:
    """Remove the regular files of a folder last changed before a time; return how many."""
    count = 0
    with open_private_folder(tree.root, *folder.split("/")) as at:
        for name in os.listdir(at):
            with suppress(OSError):
                status = os.stat(name, dir_fd=at, follow_symlinks=False)
                if stat.S_ISREG(status.st_mode) and status.st_mtime < before_s:
                    os.unlink(name, dir_fd=at)
                    count += 1
    return count


def list_project_folders(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the folder outside the tree that the user's settings name for each project."""
    return list_source_folders(environ)
