"""Replace or remove a file only if it still holds what it is expected to, whoever writes meanwhile.

All functions take an open folder (`tree.safe_open.folder`) and a name in it. Where the system can
exchange two files (Linux), the check comes after the exchange: an edit between check and
replacement is seen, and put back. Elsewhere the file is read directly before it is replaced.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from cortexfs.tree import atomic_files
from cortexfs.tree.exclusive_rename import exchange as _exchange
from cortexfs.tree.exclusive_rename import take_name


class Differs(Exception):
    """The file does not hold what was expected; it is as it was."""


def replace(at: int, name: str, expected: bytes, content: bytes) -> None:
    """Put content in the place of what is expected there, keeping the mode; raises `Differs`."""
    mode = stat.S_IMODE(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode)
    with atomic_files.draft(at, content, 0o600, then=mode) as draft:
        if atomic_files.read(at, name) != expected:
            raise Differs
        if not _exchange(at, draft, name):
            os.rename(draft, name, src_dir_fd=at, dst_dir_fd=at)
        elif _holds(at, draft, expected):
            os.unlink(draft, dir_fd=at)
        else:
            _exchange(at, draft, name)
            if not _holds(at, draft, content):  # saved once more meanwhile: the last one stays
                _exchange(at, draft, name)
            raise Differs
    os.fsync(at)


def remove(at: int, name: str, expected: bytes) -> None:
    """Remove a file that holds what is expected; raises `Differs`."""
    if atomic_files.read(at, name) != expected:
        raise Differs
    draft = atomic_files.draft_name()
    os.rename(name, draft, src_dir_fd=at, dst_dir_fd=at)
    differs = not _holds(at, draft, expected)
    if differs:
        with suppress(FileExistsError):  # saved once more meanwhile: the last one stays
            _put_back(at, draft, name)
    with suppress(FileNotFoundError):
        os.unlink(draft, dir_fd=at)
    os.fsync(at)
    if differs:
        raise Differs


def _put_back(at: int, draft: str, name: str) -> None:
    """Give a file its name again; raises `FileExistsError` where another one has it."""
    if not take_name(at, draft, name):
        atomic_files.create_directly(at, name, atomic_files.read(at, draft), 0o600)


def _holds(at: int, name: str, content: bytes) -> bool:
    try:
        return atomic_files.read(at, name) == content
    except OSError:  # a link or a folder has taken its place
        return False
