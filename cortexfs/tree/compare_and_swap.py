"""Replace or remove a file only if it has the expected content, even with concurrent writers.

All functions take an open folder (`tree.safe_open.open_folder`) and a name in it. If the system can
exchange two files (Linux), the check comes after the exchange: an edit between check and
replacement is detected and restored. Elsewhere the file is read directly before it is replaced.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from cortexfs.tree import atomic_files
from cortexfs.tree.exclusive_rename import exchange_files, rename_without_replacing


class ContentDiffers(Exception):
    """The file does not have the expected content; it is unchanged."""


def replace_if_unchanged(folder_fd: int, name: str, expected: bytes, content: bytes) -> None:
    """Replace the expected content and keep the mode; raises `ContentDiffers`."""
    mode = stat.S_IMODE(os.stat(name, dir_fd=folder_fd, follow_symlinks=False).st_mode)
    with atomic_files.write_draft(folder_fd, content, 0o600, final_mode=mode) as draft:
        if atomic_files.read_file_bytes(folder_fd, name) != expected:
            raise ContentDiffers
        if not exchange_files(folder_fd, draft, name):
            os.rename(draft, name, src_dir_fd=folder_fd, dst_dir_fd=folder_fd)
        elif _has_content(folder_fd, draft, expected):
            os.unlink(draft, dir_fd=folder_fd)
        else:
            exchange_files(folder_fd, draft, name)
            if not _has_content(
                folder_fd, draft, content
            ):  # saved once more meanwhile: the last one stays
                exchange_files(folder_fd, draft, name)
            raise ContentDiffers
    os.fsync(folder_fd)


def remove_if_unchanged(folder_fd: int, name: str, expected: bytes) -> None:
    """Remove a file with the expected content; raises `ContentDiffers`."""
    if atomic_files.read_file_bytes(folder_fd, name) != expected:
        raise ContentDiffers
    draft = atomic_files.make_draft_name()
    os.rename(name, draft, src_dir_fd=folder_fd, dst_dir_fd=folder_fd)
    differs = not _has_content(folder_fd, draft, expected)
    if differs:
        with suppress(FileExistsError):  # saved once more meanwhile: the last one stays
            _restore_name(folder_fd, draft, name)
    with suppress(FileNotFoundError):
        os.unlink(draft, dir_fd=folder_fd)
    os.fsync(folder_fd)
    if differs:
        raise ContentDiffers


def _restore_name(at: int, draft: str, name: str) -> None:
    """Restore a file's name; raises `FileExistsError` if the name is taken."""
    if not rename_without_replacing(at, draft, name):
        atomic_files.create_file_in_place(at, name, atomic_files.read_file_bytes(at, draft), 0o600)


def _has_content(at: int, name: str, content: bytes) -> bool:
    try:
        return atomic_files.read_file_bytes(at, name) == content
    except OSError:  # replaced by a link or a folder
        return False
