"""A folder of our own in the git directory: its lock, its notes, and mending after a kill.

The lock is held by us and by every git command that we start. Whoever gets it knows that
all of them are gone, and that what lies here was left by the dead.
"""
# ruff: noqa: PLC0415 - only a commit needs the lock

from __future__ import annotations

import os
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import HistoryFailed
from cortexfs.history.git import muted
from cortexfs.history.staged import read_lines, write_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.history.git import Git
    from cortexfs.history.objects import Entry

Behind = dict[str, frozenset["Entry | None"]]
"""Entries that the user's index may hold at a path though nobody staged them: ours, overtaken."""

DETACHED = "cortexfs/HEAD"
"""Stands for the branch where there is none: a name beside which no lock is ever found."""

_PATIENCE_S = 1.0
"""How long a lock of unknown owner must stand still to be the one that our killed git left."""


class Desk(NamedTuple):
    """The folder, while we hold its lock; `git` hands the lock on to what it starts.

    `mute` is environment that keeps hooks still which the repository's settings define.
    """

    path: str
    git: Git
    mute: Mapping[str, str]

    @contextmanager
    def void(self) -> Iterator[str]:
        """Lend a folder with nothing in it."""
        path = f"{self.path}/void"
        with suppress(FileExistsError):
            os.mkdir(path, 0o700)
        if os.listdir(path):
            raise HistoryFailed(f"`{path}` should be empty", hint="remove it")
        yield path

    def note(self, name: str, content: bytes) -> None:
        """Leave a note, whole or not at all; an empty one is none."""
        path = f"{self.path}/{name}"
        if not content:
            with suppress(FileNotFoundError):
                os.unlink(path)
            return
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(f"{path}.draft", flags, 0o666), "wb") as draft:
            draft.write(content)
        os.rename(f"{path}.draft", path)

    def unlock(self) -> None:
        """Remove the ref locks that our git left, if it was killed while moving a branch."""
        if note := _seen(f"{self.path}/moving"):
            _unlock(self.git, note)
            self.note("moving", b"")

    def behind(self) -> Behind:
        """Read which entries of the user's index are ours and overtaken."""
        return behind(self.git)

    def note_behind(self, entries: Mapping[str, frozenset[Entry | None]], width: int) -> None:
        """Note what will have to be mended in the user's index if we get no further."""
        lines = ((path, entry) for path, held in entries.items() for entry in held)
        self.note("behind", write_lines(lines, width))


def behind(git: Git) -> Behind:
    """Read the note of `note_behind`; nothing where there is none."""
    try:
        with open(f"{git.git_dir}/cortexfs/behind", "rb") as note:
            lines = list(read_lines(note.read()))
    except FileNotFoundError:
        return {}
    found: Behind = {}
    for path, entry, _ in lines:
        found[path] = found.get(path, frozenset()) | {entry if entry.mode != "0" else None}
    return found


class _Seen(NamedTuple):
    inode: int
    mtime_ns: int
    content: bytes


@contextmanager
def held(git: Git) -> Iterator[Desk]:
    """Wait for the desk's lock, clear away what the dead left, and keep the lock."""
    import fcntl

    path = f"{git.git_dir}/cortexfs"
    with suppress(FileExistsError):
        os.mkdir(path)
    if os.path.islink(path):
        raise HistoryFailed(f"`{path}` is a symlink", hint="remove it")
    lock = os.open(f"{path}/lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        desk = Desk(path, git._replace(kept=(lock,)), muted(git))
        _clear(desk)
        yield desk
    finally:
        os.close(lock)


def branch_of(git: Git) -> str:
    """Read which ref HEAD stands for: `refs/heads/main`, or `HEAD` itself when detached."""
    with open(f"{git.git_dir}/HEAD", "rb") as head:
        word, _, ref = os.fsdecode(head.read(8192)).partition(": ")
    ref = ref.strip()
    return ref if word == "ref" and ref.startswith("refs/") and ".." not in ref else DETACHED


def _clear(desk: Desk) -> None:
    index, ours = f"{desk.git.git_dir}/index.lock", f"{desk.path}/index"
    with suppress(FileNotFoundError):
        if os.path.samefile(index, ours):  # our finished copy: nobody else's lock can be that
            os.unlink(index)
    for name in (ours, f"{ours}.lock"):
        with suppress(FileNotFoundError):
            os.unlink(name)
    desk.unlock()


def _unlock(git: Git, note: _Seen) -> None:
    """Remove the locks that are ours: younger than the note, and holding the id of our commit.

    Git leaves HEAD's empty, and a kill may come before the id: those must also stand still for
    longer than a live git command would keep them.
    """
    ref, _, commit = note.content.partition(b" ")
    names = {f"{git.git_dir}/HEAD.lock", f"{git.common}/{os.fsdecode(ref)}.lock"}
    left = {
        name: seen for name in names if (seen := _seen(name)) and seen.mtime_ns >= note.mtime_ns
    }
    if any(seen.content.strip() != commit for seen in left.values()):
        time.sleep(_PATIENCE_S)
    for name, seen in left.items():
        if _seen(name) == seen:
            os.unlink(name)


def _seen(path: str) -> _Seen | None:
    with suppress(FileNotFoundError), open(path, "rb") as file:
        status = os.fstat(file.fileno())
        return _Seen(status.st_ino, status.st_mtime_ns, file.read(8192))
    return None
