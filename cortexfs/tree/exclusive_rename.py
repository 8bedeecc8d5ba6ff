"""Rename without replacing: exchange two files, or take a free name, in one step.

All functions take an open folder (`tree.safe_open.folder`) and names in it.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_NO_REPLACE, _EXCHANGE = 1, 2
"""Linux: RENAME_NOREPLACE, RENAME_EXCHANGE."""
UNSUPPORTED_ERRNOS = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EPERM})
"""Error numbers of a file system without hard links, or without such a rename."""


def exchange_files(folder_fd: int, one: str, other: str) -> bool:
    """Exchange two files; returns False if the system does not support it."""
    return _call_renameat2(folder_fd, one, other, _EXCHANGE)


def rename_without_replacing(folder_fd: int, draft: str, name: str) -> bool:
    """Move a draft to a free name; returns False, without a change, if that is not supported.

    Raises `FileExistsError` if the name is taken; the draft is kept.
    """
    try:
        os.link(draft, name, src_dir_fd=folder_fd, dst_dir_fd=folder_fd, follow_symlinks=False)
    except OSError as error:
        if error.errno not in UNSUPPORTED_ERRNOS:
            raise
        return _call_renameat2(folder_fd, draft, name, _NO_REPLACE)
    os.unlink(draft, dir_fd=folder_fd)
    return True


def _call_renameat2(at: int, one: str, other: str, flag: int) -> bool:
    if not (call := _load_renameat2()):
        return False
    if call(at, os.fsencode(one), at, os.fsencode(other), flag) == 0:
        return True
    from ctypes import get_errno  # noqa: PLC0415 - as `_load_renameat2`

    if (code := get_errno()) in UNSUPPORTED_ERRNOS:
        return False
    raise OSError(code, os.strerror(code), other)


def _load_renameat2() -> Callable[[int, bytes, int, bytes, int], int] | None:
    if sys.platform != "linux":
        return None
    import ctypes  # noqa: PLC0415 - only where a file is replaced

    found = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if found is not None:
        word, path = ctypes.c_int, ctypes.c_char_p
        found.argtypes = (word, path, word, path, ctypes.c_uint)
    return found  # musl before 1.2.6 has none
