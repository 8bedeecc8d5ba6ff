"""Where hooks leave notes: read them in order, forget them once they are logged."""

from __future__ import annotations

import errno
import os
import re
from contextlib import suppress
from typing import NamedTuple

from cortexfs.tree import atomic_files
from cortexfs.tree.safe_open import folder, own

_NAME = r"[0-9]{1,20}\.[0-9]{1,10}"
NEW = ".cortexfs/spool/new"
TOKEN = "awake"  # noqa: S105 - the name of a file
AT_ONCE = 1000
"""Notes taken in one go: with the hook's 1 MiB each, a bound on memory."""


class Note(NamedTuple):
    """One thing left by a hook: its name (`<ns>.<pid>`) and the payload."""

    name: str
    payload: bytes


class Spool(NamedTuple):
    """The spool of one tree."""

    root: str

    def waiting_count(self) -> int:
        """Count the notes that wait."""
        return len(self._names())

    def waiting(self) -> list[Note]:
        """Read the oldest notes, `AT_ONCE` at the most; one that cannot be read waits."""
        names = self._names()[:AT_ONCE]
        if not names:
            return []
        with folder(self.root, NEW) as at:
            read = ((name, _payload(at, name)) for name in names)
            return [Note(name, payload) for name, payload in read if payload is not None]

    def forget(self, names: tuple[str, ...]) -> None:
        """Remove notes that have been made good."""
        if names:
            with folder(self.root, NEW) as at:
                for name in names:
                    with suppress(FileNotFoundError):
                        os.unlink(name, dir_fd=at)

    def rest(self) -> None:
        """Give the token back, so that the next note wakes a new drain."""
        with suppress(FileNotFoundError), folder(self.root, ".cortexfs/spool") as at:
            os.unlink(TOKEN, dir_fd=at)

    def leave(self, name: str, payload: bytes) -> None:
        """Leave a note as a hook does."""
        with own(self.root, "spool", "new") as at:
            atomic_files.create(at, name, payload)

    def _names(self) -> list[str]:
        with suppress(FileNotFoundError, NotADirectoryError), folder(self.root, NEW) as at:
            with os.scandir(at) as entries:
                names = [entry.name for entry in entries if _is_note(entry)]
            return sorted(names, key=lambda name: tuple(map(int, name.split("."))))
        return []


def _is_note(entry: os.DirEntry[str]) -> bool:
    """Tell a note by its name; a folder is none, and could not be forgotten."""
    return bool(re.fullmatch(_NAME, entry.name)) and not entry.is_dir(follow_symlinks=False)


def _payload(at: int, name: str) -> bytes | None:
    """Read a note; None where it cannot be read now, and so must wait."""
    try:
        return atomic_files.read(at, name)
    except (atomic_files.TooLarge, atomic_files.NotAFile):  # no hook has left that
        return b""
    except OSError as error:
        return b"" if error.errno == errno.ELOOP else None
