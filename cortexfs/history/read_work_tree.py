"""Read files and links of the work tree as git would store them, never through a link."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import HistoryFailed, OutsideTree
from cortexfs.history.object_formats import FILE, LINK, PROGRAM, GitObject, TreeEntry, make_object

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

MAX_CONTENT_BYTES = 32 * 1024 * 1024
"""Maximum size of a file that is read, in bytes; files that commands write are smaller."""
MAX_LOG_BYTES = 1024 * 1024 * 1024
"""The same for a log."""

_UNSAFE_STEPS = {"", ".", "..", ".git"}


class ContentTooLarge(OSError):
    """The file is larger than the limit, and was not read."""


class FileContent(NamedTuple):
    """The content of a path: a file's bytes, or the target of a link."""

    body: bytes
    is_link: bool = False

    def make_blob(self, algorithm: str) -> GitObject:
        """Return the blob that git would make of it, without filters."""
        return make_object("blob", self.body, algorithm)

    def make_entry(self, blob: str, before: TreeEntry | None) -> TreeEntry:
        """Return its entry in a tree; the executable bit is kept, and never newly set."""
        runs = before is not None and before.mode == PROGRAM
        return TreeEntry(LINK if self.is_link else PROGRAM if runs else FILE, blob)


def is_inside(path: str) -> bool:
    """Return whether a path stays below the folder that it is relative to, and out of `.git`."""
    return "\0" not in path and not any(step.lower() in _UNSAFE_STEPS for step in path.split("/"))


def check_path(path: str) -> str:
    """Return a path if it stays below the root and out of `.git`; raise `OutsideTree` if not."""
    if not is_inside(path):
        raise OutsideTree(f"{path!a} is not a path inside the tree")
    return path


def read_content(top: str, path: str, max_bytes: int | None = None) -> FileContent | None:
    """Return a file or link; None if there is none, or git could not store it.

    None also if a folder of the path is a link, or the path leads outside. Raises
    `ContentTooLarge` above `max_bytes` bytes (default: the limit for its kind of file).
    """
    if not is_inside(path):
        return None
    at = os.open(top, _FOLDER_FLAGS)
    try:
        *folders, name = path.split("/")
        for folder in folders:
            inner = os.open(folder, _FOLDER_FLAGS, dir_fd=at)
            os.close(at)
            at = inner
        return _read_entry(name, at, max_bytes)
    except (FileNotFoundError, NotADirectoryError):
        return None
    finally:
        os.close(at)


@contextmanager
def wrap_os_errors(outcome: str) -> Iterator[None]:
    """Turn errors of the file system into `HistoryFailed`."""
    try:
        yield
    except OSError as error:
        where = f"`{error.filename}`: " if error.filename else ""
        raise HistoryFailed(f"{outcome}: {where}{error.strerror}") from None


def _read_entry(name: str, at: int, max_bytes: int | None) -> FileContent | None:
    status = os.lstat(name, dir_fd=at)
    if stat.S_ISLNK(status.st_mode):
        return FileContent(os.fsencode(os.readlink(name, dir_fd=at)), is_link=True)
    if not stat.S_ISREG(status.st_mode):
        return None
    if max_bytes is None:
        max_bytes = MAX_LOG_BYTES if name.endswith(".jsonl") else MAX_CONTENT_BYTES
    if status.st_size > max_bytes:
        raise ContentTooLarge(errno.EFBIG, f"it is larger than {max_bytes} bytes", name)
    with open(os.open(name, _FILE_FLAGS, dir_fd=at), "rb") as opened:
        return FileContent(opened.read())
