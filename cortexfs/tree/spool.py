"""The spool for notes of hooks: they are read in order, and removed once they are logged."""

from __future__ import annotations

import errno
import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import OutsideTree
from cortexfs.tree import atomic_files
from cortexfs.tree.safe_open import open_folder, open_private_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAME = r"[0-9]{1,20}\.[0-9]{1,10}"
NEW_NOTES_FOLDER = ".cortexfs/spool/new"
DRAIN_LOCK_FILE = "drain.lock"
"""Locked by the process that waits to drain, for as long as it runs."""
OLD_TOKEN_FILE = "awake"  # noqa: S105 - the name of a file
CHANGE_MARK, TAKEN_MARK = "tree-changed", "tree-changed.taken"
"""Files in the spool: the tree has changed since the bulletin was rendered; it is being rendered.
"""
MAX_NOTES_READ = 1000
MAX_NOTE_BYTES = 1 << 20
"""Maximum number of notes in one batch, and bytes of a note, as in the hook: a memory limit."""


class SpoolNote(NamedTuple):
    """One note of a hook: its name (`<ns>.<pid>`) and the payload."""

    name: str
    payload: bytes


class Spool(NamedTuple):
    """The spool of one tree."""

    root: str

    def count_waiting(self) -> int:
        """Return the number of waiting notes."""
        return len(self._list_names())

    def read_waiting(self) -> list[SpoolNote]:
        """Return the oldest notes, at most `MAX_NOTES_READ`; unreadable ones are left for later."""
        names = self._list_names()[:MAX_NOTES_READ]
        if not names:
            return []
        with open_folder(self.root, NEW_NOTES_FOLDER) as at:
            read = ((name, _read_payload(at, name)) for name in names)
            return [SpoolNote(name, payload) for name, payload in read if payload is not None]

    def remove_notes(self, names: tuple[str, ...]) -> None:
        """Remove notes that were processed."""
        if names:
            with open_folder(self.root, NEW_NOTES_FOLDER) as at:
                for name in names:
                    with suppress(FileNotFoundError):
                        os.unlink(name, dir_fd=at)

    def remove_old_token(self) -> None:
        """Remove the token of older hooks (before `drain.lock`), which delays their drain."""
        with suppress(FileNotFoundError), open_folder(self.root, ".cortexfs/spool") as at:
            os.unlink(OLD_TOKEN_FILE, dir_fd=at)

    def add_note(self, name: str, payload: bytes) -> None:
        """Write a note as a hook does."""
        with open_private_folder(self.root, "spool", "new") as at:
            atomic_files.create_file(at, name, payload)

    def add_change_mark(self) -> None:
        """Note that the tree has changed: `drain_later.py` then also runs without a note."""
        with open_private_folder(self.root, "spool", "new"):
            pass  # `drain_later.py` needs the folder
        with open_private_folder(self.root, "spool") as at:
            flags = os.O_WRONLY | os.O_CREAT
            os.close(atomic_files.open_private_file(at, CHANGE_MARK, flags))

    def has_change_mark(self) -> bool:
        """Return whether the tree has changed since its bulletin was rendered."""
        above = os.path.join(self.root, ".cortexfs", "spool")
        return any(os.path.lexists(os.path.join(above, n)) for n in (CHANGE_MARK, TAKEN_MARK))

    def take_change_mark(self) -> None:
        """Note that what has changed so far is being rendered; later changes make a new mark."""
        with suppress(FileNotFoundError), open_private_folder(self.root, "spool") as at:
            os.rename(CHANGE_MARK, TAKEN_MARK, src_dir_fd=at, dst_dir_fd=at)

    def remove_taken_mark(self) -> None:
        """Note that what had changed is rendered."""
        with suppress(FileNotFoundError), open_private_folder(self.root, "spool") as at:
            os.unlink(TAKEN_MARK, dir_fd=at)

    def start_drain(self, command: list[str], environ: Mapping[str, str]) -> bool:
        """Start the process that waits to drain, unless one runs; return whether it was started.

        It outlives this process, and has no terminal and no pipe of its caller.
        """
        from cortexfs.core.settings.background_environment import (  # noqa: PLC0415 - few start it
            inherit_variables,
            is_background_disabled,
        )

        if is_background_disabled(environ) or self._has_drain_process():
            return False
        null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in range(3)]
        inherited = inherit_variables(environ)
        with suppress(NotImplementedError):  # without `setsid`: the next command drains
            os.posix_spawn(command[0], command, inherited, file_actions=null, setsid=True)
            return True
        return False

    def _has_drain_process(self) -> bool:
        """Return whether a process is waiting to drain."""
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with open_private_folder(self.root, "spool") as at:
            file = os.open(DRAIN_LOCK_FILE, flags, 0o600, dir_fd=at)
        try:
            os.lockf(file, os.F_TEST, 0)
        except (BlockingIOError, PermissionError):
            return True
        finally:
            os.close(file)
        return False

    def _list_names(self) -> list[str]:
        try:
            with open_folder(self.root, NEW_NOTES_FOLDER) as at, os.scandir(at) as entries:
                names = [entry.name for entry in entries if _is_note(entry)]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OutsideTree:
            with open_private_folder(self.root, "spool", "new"):  # raises it with a hint
                return []
        return sorted(names, key=lambda name: tuple(map(int, name.split("."))))


def _is_note(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry is a note by its name; a folder, which cannot be unlinked, is not."""
    return bool(re.fullmatch(_NAME, entry.name)) and not entry.is_dir(follow_symlinks=False)


def _read_payload(at: int, name: str) -> bytes | None:
    """Return the content of a note; None if it cannot be read now and has to wait."""
    try:
        return atomic_files.read_file_bytes(at, name, MAX_NOTE_BYTES)
    except (atomic_files.FileTooLarge, atomic_files.NotRegularFile):  # not written by a hook
        return b""
    except OSError as error:
        return b"" if error.errno == errno.ELOOP else None
