"""Read what stands on disk, as git would keep it: files and links, never through a link."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import HistoryFailed, OutsideTree
from cortexfs.history.objects import FILE, LINK, PROGRAM, Entry, Object, named

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Standing(NamedTuple):
    """What a path holds: a file's bytes, or where a link points."""

    body: bytes
    link: bool = False

    def blob(self, algorithm: str) -> Object:
        """Give the blob that git would make of it, no filter asked."""
        return named("blob", self.body, algorithm)

    def entry(self, blob: str, before: Entry | None) -> Entry:
        """Give its entry in a tree; a program stays one, and nothing becomes one."""
        runs = before is not None and before.mode == PROGRAM
        return Entry(LINK if self.link else PROGRAM if runs else FILE, blob)


def checked(path: str) -> str:
    """Give a path back if it stays below the root and out of `.git`; raise if it does not."""
    steps = path.split("/")
    if "\0" in path or any(step.lower() in {"", ".", "..", ".git"} for step in steps):
        raise OutsideTree(f"`{path!a}` is no path inside the tree")
    return path


def read(top: str, path: str) -> Standing | None:
    """Read a file or link; None where there is none, or nothing that git could keep.

    A folder on the way that is a link leads elsewhere: there is nothing behind it.
    """
    at = os.open(top, _FOLDER)
    try:
        *folders, name = path.split("/")
        for folder in folders:
            inner = os.open(folder, _FOLDER, dir_fd=at)
            os.close(at)
            at = inner
        return _read(name, at)
    except (FileNotFoundError, NotADirectoryError):
        return None
    finally:
        os.close(at)


@contextmanager
def refusing(outcome: str) -> Iterator[None]:
    """Turn what the file system refuses into a refusal of ours."""
    try:
        yield
    except OSError as error:
        where = f"`{error.filename}`: " if error.filename else ""
        raise HistoryFailed(f"{outcome}: {where}{error.strerror}") from None


def _read(name: str, at: int) -> Standing | None:
    mode = os.lstat(name, dir_fd=at).st_mode
    if stat.S_ISLNK(mode):
        return Standing(os.fsencode(os.readlink(name, dir_fd=at)), link=True)
    if not stat.S_ISREG(mode):
        return None
    with open(os.open(name, _FILE, dir_fd=at), "rb") as opened:
        return Standing(opened.read())
