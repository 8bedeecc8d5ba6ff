"""Atomic file operations: a reader, a crash or a full disk never sees or leaves half a file.

All functions take an open folder (`tree.safe_open.open_folder`) and a name in it.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from cortexfs.core.atoms.tree_paths import DRAFT_PREFIX
from cortexfs.tree.exclusive_rename import UNSUPPORTED_ERRNOS, rename_without_replacing

if TYPE_CHECKING:
    from collections.abc import Iterator

ABANDONED_AFTER_S = 600
"""Age in seconds above which a draft belongs to a process that has ended."""
MAX_FILE_BYTES = 16 * 1024 * 1024
"""Maximum size of a file that is read, in bytes."""
MAX_LOG_BYTES = 1024 * 1024 * 1024
"""Maximum size of a log in bytes: `access rotate` keeps logs much smaller."""

READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class NotRegularFile(OSError):
    """The name is that of a folder, pipe or device."""


class FileTooLarge(OSError):
    """The file is larger than the limit."""


def read_file_bytes(folder_fd: int, name: str, max_bytes: int | None = None) -> bytes:
    """Return the content of a regular file, without following a link or waiting on a pipe.

    Raises `FileTooLarge` above `max_bytes` bytes (default: the limit for its kind of file), and
    `NotRegularFile` for a folder, pipe or device.
    """
    file = os.open(name, READ_FLAGS, dir_fd=folder_fd)
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            raise NotRegularFile(name)
        if max_bytes is None:
            max_bytes = MAX_LOG_BYTES if name.endswith(".jsonl") else MAX_FILE_BYTES
        if status.st_size > max_bytes:
            raise FileTooLarge(name)
        return _read_to_end(file, status.st_size)
    finally:
        os.close(file)


def open_private_file(folder_fd: int, name: str, flags: int, mode: int = 0o600) -> int:
    """Open a private regular file or a log, and return the descriptor; `mode` is for a new file.

    Raises `NotRegularFile` for a pipe, socket, device or folder, and `OSError` for a link.
    """
    file = os.open(
        name, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, mode, dir_fd=folder_fd
    )
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise NotRegularFile(name)
    return file


def read_appendable_log(folder_fd: int, name: str) -> bytes:
    """Return the content of a log (empty: missing); raises `OSError` if it is not writable."""
    try:
        os.close(
            os.open(
                name, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder_fd
            )
        )
    except FileNotFoundError:
        if not os.access(".", os.W_OK, dir_fd=folder_fd):
            raise
        return b""
    return read_file_bytes(folder_fd, name)


def _read_to_end(file: int, size: int) -> bytes:
    """Read to the end of the file; `size` is only an estimate."""
    chunks = [os.read(file, size + 1)]
    while chunks[-1] and sum(map(len, chunks)) != size:
        chunks.append(os.read(file, 1 << 16))
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def create_file(folder_fd: int, name: str, content: bytes) -> None:
    """Create a file with its whole content; raises `FileExistsError` if the name is taken.

    The mode follows that of the folder. If the file system can neither link nor rename without
    replacing, the file is written in place, and a reader may see a part of it.
    """
    mode = os.fstat(folder_fd).st_mode & 0o666
    with write_draft(folder_fd, content, mode) as written:
        if not rename_without_replacing(folder_fd, written, name):
            create_file_in_place(folder_fd, name, content, mode)
            os.unlink(written, dir_fd=folder_fd)
    os.fsync(folder_fd)


def create_file_in_place(folder_fd: int, name: str, content: bytes, mode: int) -> None:
    """Write a new file in place; raises `FileExistsError` if the name is taken."""
    file = os.open(name, _CREATE_FLAGS, mode, dir_fd=folder_fd)
    try:
        _write_all(file, content)
        os.fsync(file)
    except BaseException:
        with suppress(OSError):
            os.unlink(name, dir_fd=folder_fd)
        raise
    finally:
        os.close(file)


def can_hard_link(folder_fd: int) -> bool:
    """Return whether the file system of a folder has hard links, by creating one."""
    with write_draft(folder_fd, b"", 0o600) as written:
        other = make_draft_name()
        try:
            os.link(written, other, src_dir_fd=folder_fd, dst_dir_fd=folder_fd)
            os.unlink(other, dir_fd=folder_fd)
        except OSError as error:
            if error.errno not in UNSUPPORTED_ERRNOS:
                raise
            return False
        finally:
            os.unlink(written, dir_fd=folder_fd)
    return True


def append_lines(folder_fd: int, name: str, lines: bytes) -> None:
    """Append whole lines to a log in one write, after ending a torn last line.

    If the write fails, the log is truncated to its previous size and the `OSError` is raised.
    """
    mode = os.fstat(folder_fd).st_mode & 0o666
    file = open_private_file(folder_fd, name, os.O_RDWR | os.O_APPEND | os.O_CREAT, mode)
    try:
        size = os.fstat(file).st_size
        torn = size > 0 and os.pread(file, 1, size - 1) != b"\n"
        _write_or_truncate(file, b"\n" + lines if torn else lines, size)
        os.fsync(file)
    finally:
        os.close(file)
    if not size:
        os.fsync(folder_fd)


def remove_file(folder_fd: int, name: str) -> None:
    """Delete a file durably."""
    os.unlink(name, dir_fd=folder_fd)
    os.fsync(folder_fd)


def remove_drafts(folder_fd: int, names: list[str], min_age_s: float = ABANDONED_AFTER_S) -> None:
    """Delete the drafts among `names` that are older than `min_age_s` seconds."""
    for name in names:
        if name.startswith(DRAFT_PREFIX):
            with suppress(OSError):
                if time.time() - os.stat(name, dir_fd=folder_fd).st_mtime >= min_age_s:
                    os.unlink(name, dir_fd=folder_fd)


def _write_or_truncate(file: int, content: bytes, size: int) -> None:
    try:
        _write_all(file, content)
    except OSError:
        with suppress(OSError):
            os.ftruncate(file, size)
        raise


def _write_all(file: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(file, left) :]


def make_draft_name() -> str:
    """Return a unique name for an unfinished file."""
    return f"{DRAFT_PREFIX}{os.getpid()}.{os.urandom(4).hex()}"


@contextmanager
def write_draft(
    folder_fd: int,
    content: bytes,
    mode: int,
    final_mode: int | None = None,
    *,
    is_durable: bool = True,
    name: str = "",
) -> Iterator[str]:
    """Write a file next to its destination, by default durably; it is deleted on an exception.

    Without a name (of a draft), it gets a unique one.
    """
    name = name or make_draft_name()
    file = os.open(name, _CREATE_FLAGS, mode, dir_fd=folder_fd)
    try:
        try:
            _write_all(file, content)
            if final_mode is not None:
                os.fchmod(file, final_mode)
            if is_durable:
                os.fsync(file)
        finally:
            os.close(file)
        yield name
    except BaseException:
        with suppress(OSError):
            os.unlink(name, dir_fd=folder_fd)
        raise
