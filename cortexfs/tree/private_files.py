"""Derived private files below `.cortexfs`: replaced in one step, and lost without harm."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING

from cortexfs.core.atoms.tree_paths import DRAFT_PREFIX, LOCAL_FOLDER
from cortexfs.errors import OutsideTree
from cortexfs.tree import atomic_files
from cortexfs.tree.safe_open import open_folder, open_private_folder

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_BYTES = atomic_files.MAX_FILE_BYTES
"""Maximum bytes of a file that is compared; a longer one is not ours, and is written again."""
_SHARED_FOLDERS = ("", "/spool/new", "/crash", "/replaced")


def write_private_file(root: str, path: str, content: bytes) -> bool:
    """Write a file below `.cortexfs` if it has another content; return whether it was written.

    A link or pipe of that name is replaced; a folder stays as it is.
    """
    *folders, name = path.split("/")
    with open_private_folder(root, *folders) as at:
        with suppress(OSError):
            if atomic_files.read_file_bytes(at, name, MAX_BYTES) == content:
                return False
        with suppress(IsADirectoryError):
            replace_derived_file(at, name, content)
            return True
    return False


def remove_private_files(
    root: str, folder: str, is_unwanted: Callable[[str, os.stat_result], bool]
) -> list[str]:
    """Remove unwanted files of a folder, by name and status, and old drafts; return their names.

    Links count as files of their own; a folder stays as it is.
    """
    removed: list[str] = []
    with open_private_folder(root, *folder.split("/")) as at:
        names = sorted(os.listdir(at))
        atomic_files.remove_drafts(at, names)
        for name in names:
            with suppress(OSError):
                status = os.stat(name, dir_fd=at, follow_symlinks=False)
                if not stat.S_ISDIR(status.st_mode) and is_unwanted(name, status):
                    os.unlink(name, dir_fd=at)
                    removed.append(name)
    return removed


def stamp_private_files(root: str, folder: str) -> str:
    """Return a text that is another one after a file of a folder changed; empty without it."""
    stamps: list[tuple[str, int, int]] = []
    with (
        suppress(OSError, OutsideTree),
        open_folder(root, f".cortexfs/{folder}") as at,
        os.scandir(at) as found,
    ):
        for each in found:
            status = each.stat(follow_symlinks=False)
            stamps.append((each.name, status.st_size, status.st_mtime_ns))
    return blake2b(repr(sorted(stamps)).encode(), digest_size=6).hexdigest() if stamps else ""


def remove_old_drafts(root: str) -> None:
    """Delete what killed processes have left in folders of `.cortexfs` that any process writes."""
    for inner in _SHARED_FOLDERS:
        with suppress(OSError, OutsideTree), open_folder(root, f"{LOCAL_FOLDER}{inner}") as at:
            atomic_files.remove_drafts(at, os.listdir(at))


def replace_locked_file(folder_fd: int, name: str, content: bytes) -> None:
    """Write or replace a private file in one step; the caller holds the lock for it.

    The draft always has the same name: what a killed process left, the next call replaces.
    """
    draft = f"{DRAFT_PREFIX}{name}"
    with suppress(FileNotFoundError):
        os.unlink(draft, dir_fd=folder_fd)
    with atomic_files.write_draft(folder_fd, content, 0o600, name=draft):
        os.rename(draft, name, src_dir_fd=folder_fd, dst_dir_fd=folder_fd)


def replace_derived_file(
    folder_fd: int, name: str, content: bytes, draft_folder_fd: int | None = None
) -> None:
    """Write or replace a derived private file in one step; it need not survive a power cut.

    A link or pipe of that name is replaced; raises `IsADirectoryError` for a folder. With
    `draft_folder_fd` the draft is in that folder, where nobody sees what a kill leaves.
    """
    drafts = folder_fd if draft_folder_fd is None else draft_folder_fd
    with atomic_files.write_draft(drafts, content, 0o600, is_durable=False) as draft:
        os.rename(draft, name, src_dir_fd=drafts, dst_dir_fd=folder_fd)
