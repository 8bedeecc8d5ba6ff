"""Derived texts below `.cortexfs`: private, replaced in one step, and lost without harm."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.tree import atomic_files
from cortexfs.tree.safe_open import open_private_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_TEXT_BYTES = 1 << 20
"""Maximum bytes of a text that is compared; a longer one is not ours, and is replaced."""
LOCK_FILE = "refresh.lock"
_CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class PrivateTexts(NamedTuple):
    """The texts in one folder below `.cortexfs` of a tree."""

    root: str
    folders: tuple[str, ...]

    def read(self, name: str) -> str | None:
        """Return a text; None if it is missing, too long, or no regular file."""
        with open_private_folder(self.root, *self.folders) as at:
            content = _read_or_none(at, name)
        return None if content is None else content.decode(errors="replace")

    def replace_texts(self, texts: dict[str, str]) -> list[str]:
        """Make these the texts of the folder: write what differs, remove others of our suffix.

        Returns the names that changed. A folder with the name of a text stays as it is.
        """
        changed = []
        with open_private_folder(self.root, *self.folders) as at:
            for name, text in sorted(texts.items()):
                if _read_or_none(at, name) != text.encode():
                    with suppress(IsADirectoryError):
                        replace_derived_file(at, name, text.encode(), 0o600)
                        changed.append(name)
            names = sorted(os.listdir(at))
            atomic_files.remove_drafts(at, names)
            for name in names:
                if name.endswith(".md") and name not in texts:
                    with suppress(OSError):
                        os.unlink(name, dir_fd=at)
                        changed.append(name)
        return changed

    @contextmanager
    def hold_lock(self) -> Iterator[bool]:
        """Yield whether this process now holds the folder's lock; it does not wait for it."""
        flags = os.O_RDWR | os.O_CREAT
        with open_private_folder(self.root, *self.folders) as at:
            file = atomic_files.open_private_file(at, LOCK_FILE, flags)
        try:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True
        finally:
            os.close(file)


def replace_derived_file(at: int, name: str, content: bytes, mode: int) -> None:
    """Write or replace a derived file in one step; it need not survive a power cut.

    A link or pipe of that name is replaced; raises `IsADirectoryError` for a folder.
    """
    draft = atomic_files.make_draft_name()
    try:
        _write_new(at, draft, content, mode)
        os.rename(draft, name, src_dir_fd=at, dst_dir_fd=at)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft, dir_fd=at)
        raise


def _write_new(at: int, name: str, content: bytes, mode: int) -> None:
    file = os.open(name, _CREATE_FLAGS, mode, dir_fd=at)
    try:
        left = memoryview(content)
        while left:
            left = left[os.write(file, left) :]
    finally:
        os.close(file)


def _read_or_none(at: int, name: str) -> bytes | None:
    try:
        return atomic_files.read_file_bytes(at, name, MAX_TEXT_BYTES)
    except OSError:
        return None
