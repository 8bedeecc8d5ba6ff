"""Replace or remove a file only if it still holds what it is expected to, whoever writes meanwhile.

All functions take an open folder (`tree.safe_open.folder`) and a name in it. Where the system can
exchange two files (Linux), the check comes after the exchange: an edit between check and
replacement is seen, and put back. Elsewhere the file is read directly before it is replaced.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.tree import atomic_files

if TYPE_CHECKING:
    from collections.abc import Callable

_EXCHANGE = 2
"""Linux: RENAME_EXCHANGE."""
_UNABLE = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EPERM}
"""What a file system says that cannot exchange."""


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
            os.link(draft, name, src_dir_fd=at, dst_dir_fd=at, follow_symlinks=False)
    os.unlink(draft, dir_fd=at)
    os.fsync(at)
    if differs:
        raise Differs


def _holds(at: int, name: str, content: bytes) -> bool:
    try:
        return atomic_files.read(at, name) == content
    except OSError:  # a link or a folder has taken its place
        return False


def _exchange(at: int, one: str, other: str) -> bool:
    """Exchange two files in one step; False where the system cannot."""
    if not (call := _renameat2()):
        return False
    if call(at, os.fsencode(one), at, os.fsencode(other), _EXCHANGE) == 0:
        return True
    from ctypes import get_errno  # noqa: PLC0415 - as `_renameat2`

    if (code := get_errno()) in _UNABLE:
        return False
    raise OSError(code, os.strerror(code), other)


def _renameat2() -> Callable[[int, bytes, int, bytes, int], int] | None:
    if sys.platform != "linux":
        return None
    import ctypes  # noqa: PLC0415 - only where a file is replaced

    found = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if found is not None:
        word, path = ctypes.c_int, ctypes.c_char_p
        found.argtypes = (word, path, word, path, ctypes.c_uint)
    return found  # musl before 1.2.6 has none
