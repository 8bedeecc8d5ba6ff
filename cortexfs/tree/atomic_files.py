"""Write files so that a reader, a crash or a full disk never sees or leaves half of one.

All functions take an open folder (`tree.safe_open.folder`) and a name in it.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from cortexfs.core.atoms.tree_paths import DRAFT
from cortexfs.tree.exclusive_rename import UNABLE, take_name

if TYPE_CHECKING:
    from collections.abc import Iterator

ABANDONED_S = 600
"""A draft older than this belongs to a process that is gone."""
LARGEST = 16 * 1024 * 1024
"""Bytes of a file that are read at most."""
LARGEST_LOG = 1024 * 1024 * 1024
"""The same for a log: `access rotate` keeps them smaller by far."""

READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class NotAFile(OSError):
    """What stands there is a folder, pipe or device."""


class TooLarge(OSError):
    """The file has more than `LARGEST` bytes."""


def read(at: int, name: str, largest: int | None = None) -> bytes:
    """Read a regular file whole, without following a link or waiting on a pipe.

    Raises `TooLarge` above `largest` bytes; by default that is the limit for its kind of file.
    """
    file = os.open(name, READ, dir_fd=at)
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            raise NotAFile(name)
        if largest is None:
            largest = LARGEST_LOG if name.endswith(".jsonl") else LARGEST
        if status.st_size > largest:
            raise TooLarge(name)
        return _drain(file, status.st_size)
    finally:
        os.close(file)


def open_own(at: int, name: str, flags: int, mode: int = 0o600) -> int:
    """Open a regular file that we keep for ourselves, or a log; made with `mode` if asked for.

    Raises `NotAFile` for a pipe, socket, device or folder, and `OSError` for a link.
    """
    file = os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, mode, dir_fd=at)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise NotAFile(name)
    return file


def read_log(at: int, name: str) -> bytes:
    """Read a log whole, empty where there is none; raises `OSError` where nothing may be added."""
    try:
        os.close(
            os.open(name, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=at)
        )
    except FileNotFoundError:
        if not os.access(".", os.W_OK, dir_fd=at):
            raise
        return b""
    return read(at, name)


def _drain(file: int, size: int) -> bytes:
    """Read to the end; the size is only a guess of how much that is."""
    chunks = [os.read(file, size + 1)]
    while chunks[-1] and sum(map(len, chunks)) != size:
        chunks.append(os.read(file, 1 << 16))
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def replace(at: int, name: str, content: bytes) -> None:
    """Swap a file's content in one step, keeping its mode: readers see the old or the new."""
    mode = stat.S_IMODE(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode)
    with draft(at, content, 0o600, then=mode) as written:
        os.rename(written, name, src_dir_fd=at, dst_dir_fd=at)
    os.fsync(at)


def create(at: int, name: str, content: bytes) -> None:
    """Put a new file in place whole; raises `FileExistsError` where the name is taken.

    It is as private as its folder. Where the file system can neither link nor rename without
    replacing, the file is written in its place: a reader may see the beginning of it.
    """
    mode = os.fstat(at).st_mode & 0o666
    with draft(at, content, mode) as written:
        if not take_name(at, written, name):
            create_directly(at, name, content, mode)
            os.unlink(written, dir_fd=at)
    os.fsync(at)


def create_directly(at: int, name: str, content: bytes, mode: int) -> None:
    """Write a new file in its place; raises `FileExistsError` where the name is taken."""
    file = os.open(name, _CREATE, mode, dir_fd=at)
    try:
        _write(file, content)
        os.fsync(file)
    except BaseException:
        with suppress(OSError):
            os.unlink(name, dir_fd=at)
        raise
    finally:
        os.close(file)


def has_hard_links(at: int) -> bool:
    """Tell whether the file system of a folder has hard links, by making one."""
    with draft(at, b"", 0o600) as written:
        other = draft_name()
        try:
            os.link(written, other, src_dir_fd=at, dst_dir_fd=at)
            os.unlink(other, dir_fd=at)
        except OSError as error:
            if error.errno not in UNABLE:
                raise
            return False
        finally:
            os.unlink(written, dir_fd=at)
    return True


def append(at: int, name: str, lines: bytes) -> None:
    """Add whole lines to a log: one write; a torn last line is ended first.

    Where the disk takes only a part, the log is cut back to what it was.
    """
    mode = os.fstat(at).st_mode & 0o666
    file = open_own(at, name, os.O_RDWR | os.O_APPEND | os.O_CREAT, mode)
    try:
        size = os.fstat(file).st_size
        torn = size > 0 and os.pread(file, 1, size - 1) != b"\n"
        _write_or_undo(file, b"\n" + lines if torn else lines, size)
        os.fsync(file)
    finally:
        os.close(file)
    if not size:
        os.fsync(at)


def remove(at: int, name: str) -> None:
    """Take a file away, for good."""
    os.unlink(name, dir_fd=at)
    os.fsync(at)


def sweep(at: int, names: list[str], older_s: float = ABANDONED_S) -> None:
    """Remove drafts among `names` that a killed process left so many seconds ago."""
    for name in names:
        if name.startswith(DRAFT):
            with suppress(OSError):
                if time.time() - os.stat(name, dir_fd=at).st_mtime >= older_s:
                    os.unlink(name, dir_fd=at)


def _write_or_undo(file: int, content: bytes, size: int) -> None:
    try:
        _write(file, content)
    except OSError:
        with suppress(OSError):
            os.ftruncate(file, size)
        raise


def _write(file: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(file, left) :]


def draft_name() -> str:
    """Return a name for an unfinished file that no other has."""
    return f"{DRAFT}{os.getpid()}.{os.urandom(4).hex()}"


@contextmanager
def draft(at: int, content: bytes, mode: int, then: int | None = None) -> Iterator[str]:
    """Write a file beside its place, durable; it is gone afterwards, moved or not."""
    name = draft_name()
    file = os.open(name, _CREATE, mode, dir_fd=at)
    try:
        try:
            _write(file, content)
            if then is not None:
                os.fchmod(file, then)
            os.fsync(file)
        finally:
            os.close(file)
        yield name
    except BaseException:
        with suppress(OSError):
            os.unlink(name, dir_fd=at)
        raise
