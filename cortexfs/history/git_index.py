"""Set the entries of our own paths in the user's index (git's staging area)."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.history.git import git_error
from cortexfs.history.object_formats import format_index_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.history.commit_lock_folder import GitLock
    from cortexfs.history.object_formats import TreeEntry

_MAX_TRIES = 5
_PAUSE_S = 0.02
_STALE_S = 2.0
"""Seconds; an older lock is not waited for: an editor is open, or git was killed."""

_NO_LINK_ERRNOS = frozenset({errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK})
"""Error codes of a file system without hard links."""


def update_index(held: GitLock, entries: Mapping[str, TreeEntry | None], width: int) -> bool:
    """Set or remove entries of the user's index; False if another process holds its lock.

    Git works on a copy of the index. The index's lock is a hard link to the finished copy, so the
    lock that a killed command leaves can be recognised as ours.
    """
    if not entries:
        return True
    lock = f"{held.git.git_dir}/index.lock"
    for _ in range(_MAX_TRIES):
        age = _measure_lock_age_s(lock)
        if age is None and _swap_index(held, entries, width):
            return True
        if age is not None and age > _STALE_S:
            break
        time.sleep(_PAUSE_S)
    return False


def _swap_index(held: GitLock, entries: Mapping[str, TreeEntry | None], width: int) -> bool:
    index, copy = f"{held.git.git_dir}/index", f"{held.path}/index"
    lock = f"{index}.lock"
    before = _link_index(index, copy)
    try:
        began = _stat_if_present(copy)
        _write_entries(held, copy, format_index_lines(entries.items(), width))
        after = os.stat(copy)
        if began and os.path.samestat(began, after):  # git found nothing to change
            return True
        if before:  # git checks a file again that is as young as the index: keep its age
            os.utime(copy, ns=(after.st_atime_ns, before.st_mtime_ns))
        _link_or_copy(copy, lock)
        if not _is_same_index(
            before, _stat_if_present(index)
        ):  # another program has changed it meanwhile
            os.unlink(lock)
            return False
        _rename_lock(lock, index)
    except FileExistsError:
        return False
    else:
        return True
    finally:
        with suppress(FileNotFoundError):
            os.unlink(copy)


def _rename_lock(lock: str, index: str) -> None:
    try:
        os.rename(lock, index)
    except OSError:  # the lock still exists, and is ours
        os.unlink(lock)
        raise


def _write_entries(held: GitLock, index: str, lines: bytes) -> None:
    """Change an index, with an empty folder as its work tree.

    In the real work tree git would read each file that is as young as the index.
    """
    with held.empty_work_tree() as folder:
        ran = held.git.run_unchecked(
            "update-index",
            "-z",
            "--index-info",
            feed=lines,
            work_tree=folder,
            env={"GIT_INDEX_FILE": index},
        )
    if ran.exit_code:
        raise git_error("update-index", ran.stderr)


def _link_index(index: str, name: str) -> os.stat_result | None:
    """Make a second link to the index, which git replaces.

    Returns the stat of the index; None if there is no index.
    """
    while before := _stat_if_present(index):
        with suppress(FileNotFoundError):
            _link_or_copy(index, name)
            if _is_same_index(before, _stat_if_present(index)):
                return before
            os.unlink(name)
    return None


def _link_or_copy(path: str, name: str) -> None:
    """Link a file to a free name, or copy it if the file system has no hard links.

    A copy left by a killed process cannot be recognised as ours, nor can a lock made by git.
    """
    try:
        os.link(path, name)
    except OSError as error:
        if error.errno not in _NO_LINK_ERRNOS:
            raise
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(path, "rb") as source, open(os.open(name, flags, 0o600), "wb") as copy:
            os.fchmod(copy.fileno(), stat.S_IMODE(os.fstat(source.fileno()).st_mode))
            shutil.copyfileobj(source, copy)
            copy.flush()
            os.fsync(copy.fileno())


def _stat_if_present(path: str) -> os.stat_result | None:
    with suppress(FileNotFoundError):
        return os.stat(path)
    return None


def _is_same_index(one: os.stat_result | None, other: os.stat_result | None) -> bool:
    """Return whether both are the same index; a newer one may reuse the inode number."""
    if one is None or other is None:
        return one is other
    written = (one.st_mtime_ns, one.st_size) == (other.st_mtime_ns, other.st_size)
    return written and os.path.samestat(one, other)


def _measure_lock_age_s(lock: str) -> float | None:
    with suppress(FileNotFoundError):
        return time.time() - os.lstat(lock).st_mtime
    return None
