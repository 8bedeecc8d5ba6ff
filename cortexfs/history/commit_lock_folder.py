"""Our folder in the git directory: a lock, notes about work in progress, and their clean-up.

The lock is held by this process and by every git command that it starts. A process that acquires it
knows that all of them have ended, and that the files in the folder were left by a killed command.
"""
# ruff: noqa: PLC0415 - only a commit needs the lock

from __future__ import annotations

import os
import re
import stat
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import HistoryFailed, OutsideTree
from cortexfs.history.check_git_dir import check_ref_files, find_current_ref, read_file_type
from cortexfs.history.git import git_timeout_s
from cortexfs.history.object_formats import format_index_lines, parse_index_lines
from cortexfs.history.read_work_tree import check_path
from cortexfs.history.ref_name import is_object_id, is_ref_name
from cortexfs.history.substitute_common_dir import remove_abandoned_folders

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.history.git import Git
    from cortexfs.history.object_formats import TreeEntry

    Pending = dict[str, frozenset[TreeEntry | None]]

STATE_FOLDER = "cortexfs"
_MAX_NOTE_BYTES = 1 << 26
"""Maximum bytes of a note, which has one line for each path of a commit."""

_MAX_WAIT_S = 1.0
"""Seconds that a lock of unknown owner must stay unchanged to count as left by our killed git."""

_PAUSE_S = 0.02
_INDEX_NOTE = "index-pending"
_REF_NOTE = "moving"


class GitLock(NamedTuple):
    """The folder while its lock is held; `git` passes the lock on to its commands."""

    path: str
    git: Git

    @contextmanager
    def empty_work_tree(self) -> Iterator[str]:
        """Yield the path of an empty folder."""
        path = f"{self.path}/empty"
        with suppress(FileExistsError):
            os.mkdir(path, 0o700)
        if read_file_type(path) != stat.S_IFDIR or os.listdir(path):
            raise HistoryFailed(f"`{path}` should be an empty folder", hint="remove it")
        yield path

    def note_ref_move(self, commit: str) -> None:
        """Record that a ref is about to be moved to a commit."""
        ref = find_current_ref(self.git.git_dir, self.git.common_dir)
        self._write_note(_REF_NOTE, f"{ref} {commit}".encode("utf-8", "surrogateescape"))

    def clear_ref_move(self) -> None:
        """Remove the note of a move that git has finished."""
        self._write_note(_REF_NOTE, b"")

    def remove_own_ref_locks(self) -> None:
        """Remove the ref locks that our git left if it was killed while it moved a ref."""
        note = _read_note(f"{self.path}/{_REF_NOTE}")
        if note:
            with suppress(HistoryFailed):  # we have not moved a ref behind a symlink
                _remove_ref_locks(self.git, note)
            self.clear_ref_move()

    def note_pending_entries(
        self, entries: Mapping[str, frozenset[TreeEntry | None]], width: int
    ) -> None:
        """Record which entries of the user's index may be outdated, and their possible values."""
        lines = ((path, entry) for path, held in entries.items() for entry in held)
        self._write_note(_INDEX_NOTE, format_index_lines(lines, width))

    def _write_note(self, name: str, content: bytes) -> None:
        """Write a note atomically; an empty one is removed."""
        path, draft = f"{self.path}/{name}", f"{self.path}/{name}.draft"
        with suppress(FileNotFoundError):
            os.unlink(draft if content else path)
        if content:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            with open(os.open(draft, flags, 0o600), "wb") as file:
                file.write(content)
            os.rename(draft, path)


def read_pending_entries(git: Git) -> Pending:
    """Return the index entries that a commit by cortexfs could not update.

    Each path is mapped to the entries that may be there although nobody staged them. A malformed
    note is ignored.
    """
    note = _read_note(f"{git.git_dir}/{STATE_FOLDER}/{_INDEX_NOTE}", _MAX_NOTE_BYTES)
    found: Pending = {}
    if note:
        with suppress(ValueError, OutsideTree):
            for path, entry, _ in [*map(_check_line, parse_index_lines(note.content))]:
                held = entry if entry.mode != "0" else None
                found[path] = found.get(path, frozenset()) | {held}
    return found


def _check_line(line: tuple[str, TreeEntry, str]) -> tuple[str, TreeEntry, str]:
    """Return a line of the note; raise if cortexfs could not have written it."""
    path, entry, _ = line
    check_path(path)
    if not re.fullmatch(r"0|[1-7][0-7]{4,5}", entry.mode) or not is_object_id(entry.id):
        raise ValueError(path)
    return line


@contextmanager
def hold_git_lock(git: Git) -> Iterator[GitLock]:
    """Wait for our lock, remove the files that a killed command left, and hold the lock."""
    path = f"{git.git_dir}/{STATE_FOLDER}"
    with git.prepare() as ready:
        # git creates no folder behind our links
        for folder, mode in ((path, 0o700), (f"{git.common_dir}/logs", 0o777)):
            with suppress(FileExistsError):
                os.mkdir(folder, mode)
        lock = os.open(f"{path}/lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            _acquire_lock(lock)
            held = GitLock(path, ready._replace(inherited_fds=(lock,)))
            _remove_leftovers(held)
            yield held
        finally:
            os.close(lock)


def _acquire_lock(lock: int) -> None:
    import fcntl

    until = time.monotonic() + git_timeout_s()
    while time.monotonic() < until:
        with suppress(BlockingIOError):
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        time.sleep(_PAUSE_S)
    raise HistoryFailed(
        f"another cortexfs process has been committing for {git_timeout_s():.0f} s",
        hint="try again later",
    )


def list_lock_files(git: Git) -> list[str]:
    """Return the existing lock files of git that prevent a commit."""
    ref = find_current_ref(git.git_dir, git.common_dir)
    names = [f"{git.git_dir}/HEAD.lock"]
    names += [f"{git.common_dir}/{ref}.lock"] if ref != "HEAD" else []
    return [name for name in names if os.path.lexists(name)]


def wait_for_ref_locks(git: Git) -> str:
    """Wait briefly for another's lock of HEAD or its branch; return one that stays, or empty."""
    until = time.monotonic() + _MAX_WAIT_S
    while (found := list_lock_files(git)) and time.monotonic() < until:
        time.sleep(_PAUSE_S)
    return found[0] if found else ""


def _remove_leftovers(held: GitLock) -> None:
    """Remove the files that killed commands left."""
    remove_abandoned_folders()
    index, copy = f"{held.git.git_dir}/index.lock", f"{held.path}/index"
    with suppress(FileNotFoundError):
        if os.path.samestat(os.lstat(index), os.lstat(copy)):  # a link to our file
            os.unlink(index)
    for name in (copy, f"{copy}.lock"):
        with suppress(FileNotFoundError):
            os.unlink(name)
    held.remove_own_ref_locks()


class _NoteFile(NamedTuple):
    inode: int
    mtime_ns: int
    content: bytes


def _remove_ref_locks(git: Git, note: _NoteFile) -> None:
    """Remove the locks that are ours: younger than the note, and holding the id of our commit.

    Git leaves the lock of HEAD empty, and may be killed before it writes the id. Such a lock must
    also stay unchanged for longer than a running git command would keep it. The note must name the
    ref of HEAD, and a commit.
    """
    ref, _, commit = os.fsdecode(note.content).partition(" ")
    if not (is_object_id(commit) and (ref == "HEAD" or is_ref_name(ref))):
        return
    names = {f"{git.git_dir}/HEAD.lock"}
    if ref != "HEAD":
        check_ref_files(git.common_dir, ref)
        names.add(f"{git.common_dir}/{ref}.lock")
    left = {
        name: seen
        for name in names
        if (seen := _read_note(name)) and seen.mtime_ns >= note.mtime_ns
    }
    if any(seen.content.strip() != commit.encode() for seen in left.values()):
        time.sleep(_MAX_WAIT_S)
    for name, seen in left.items():
        if _read_note(name) == seen:
            os.unlink(name)


def _read_note(path: str, limit: int = 8192) -> _NoteFile | None:
    """Return a regular file with its identity; None if there is none, or it is too large."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    if read_file_type(path) != stat.S_IFREG:
        return None
    with suppress(FileNotFoundError), open(os.open(path, flags), "rb") as file:
        status = os.fstat(file.fileno())
        if stat.S_ISREG(status.st_mode) and status.st_size <= limit:
            return _NoteFile(status.st_ino, status.st_mtime_ns, file.read(limit))
    return None
