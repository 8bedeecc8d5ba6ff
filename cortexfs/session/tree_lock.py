"""The lock of a tree: one writer at a time, identified in the lock file; waits have a deadline."""

from __future__ import annotations

import errno
import fcntl
import os
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import LOCAL_FOLDER
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Refused, TreeLocked
from cortexfs.tree.atomic_files import NotRegularFile, open_private_file
from cortexfs.tree.safe_open import open_private_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCK_NAME = "lock"
MAX_LOCK_BYTES = 500
"""Maximum bytes of a lock file that are read: it is untrusted, and only used in a message."""
_TAKEN_ERRNOS = frozenset({errno.ELOOP, errno.EISDIR, errno.ENXIO})
"""Error codes for a link, a folder and a socket."""


class LockHolder(NamedTuple):
    """The holder of a lock as its file states, and since when (seconds since the epoch)."""

    command: str
    pid: int
    since: int

    def __str__(self) -> str:
        at = time.strftime("%H:%M:%S", time.localtime(self.since))
        return f"{self.command} (pid {self.pid}) since {at}"


@contextmanager
def hold_tree_lock(root: str, command: str, wait_s: float) -> Iterator[None]:
    """Keep other processes from writing; readers need no lock, as files are replaced atomically.

    Raises `TreeLocked`, which names the holder, after `wait_s` seconds, and `Refused` if the lock
    is not a regular file.
    """
    lock = _open_lock(root)
    try:
        _acquire_lock(lock, wait_s)
        _write_holder(lock, LockHolder(command, os.getpid(), int(time.time())))
        try:
            yield
        finally:
            os.ftruncate(lock, 0)
    finally:
        os.close(lock)


def read_lock_holder(root: str) -> LockHolder | None:
    """Return the holder of the lock as its file states; None if unknown."""
    try:
        with open_private_folder(root) as at:
            lock = open_private_file(at, LOCK_NAME, os.O_RDONLY)
    except OSError:
        return None
    try:
        return _read_holder(lock)
    finally:
        os.close(lock)


def _open_lock(root: str) -> int:
    with open_private_folder(root) as at:
        try:
            return open_private_file(at, LOCK_NAME, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            if isinstance(error, NotRegularFile) or error.errno in _TAKEN_ERRNOS:
                raise _make_taken_error(root) from None
            raise


def _make_taken_error(root: str) -> Refused:
    """Return the error for a link, pipe, socket or folder in the place of the lock."""
    import shlex  # noqa: PLC0415 - only an error needs it

    path = os.path.join(root, LOCAL_FOLDER, LOCK_NAME)
    what = "a symlink" if os.path.islink(path) else "not a regular file"
    return Refused(f"{path} is {what}", hint=f"`rm -r {shlex.quote(path)}`")


def _acquire_lock(lock: int, wait_s: float) -> None:
    """Take the lock, in the order in which processes asked for it, until the deadline."""
    with suppress(BlockingIOError):
        return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    _wait_in_queue(lock).wait(wait_s)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # it has it already, unless time is up
    except BlockingIOError:
        raise TreeLocked(str(_read_holder(lock) or "another program")) from None


def _wait_in_queue(lock: int) -> threading.Event:
    """Wait for the lock in a thread; return the event of its end.

    The queue of the system is fair, but a wait in it has no deadline. The thread uses a copy of the
    descriptor, which shares the lock, and closes it at the end: if the caller has given up and
    closed the original, that releases the lock.
    """
    copy, has_ended = os.dup(lock), threading.Event()

    def wait() -> None:
        with suppress(OSError):
            fcntl.flock(copy, fcntl.LOCK_EX)
        has_ended.set()
        os.close(copy)

    threading.Thread(target=wait, name="cortexfs-lock", daemon=True).start()
    return has_ended


def _write_holder(lock: int, holder: LockHolder) -> None:
    os.ftruncate(lock, 0)
    line = f"{holder.pid} {holder.since} {holder.command}\n"
    os.pwrite(lock, line.encode()[:MAX_LOCK_BYTES], 0)


def _read_holder(lock: int) -> LockHolder | None:
    try:
        pid, since, command = os.pread(lock, MAX_LOCK_BYTES, 0).decode().split(" ", 2)
        holder = LockHolder(to_one_line(command.strip())[:80], int(pid), int(since))
        str(holder)  # fails for a time that no calendar has
    except (ValueError, OverflowError, OSError):
        return None
    return holder
