"""The private threads of the chat, `.cortexfs/chat`: a file of JSON lines for each.

A file only grows, line by line; its `flock` is held while a message is answered. A killed process
releases the lock, and leaves at most a torn last line, which nobody reads.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.chat.chat_message import (
    ChatMessage,
    format_message_line,
    is_thread_id,
    parse_message_line,
)
from cortexfs.errors import NoSuchThread, OutsideTree, Refused, ThreadBusy, Usage
from cortexfs.tree import atomic_files
from cortexfs.tree.safe_open import open_folder, open_private_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager

    from cortexfs.tree.tree import Tree

FOLDER = "chat"
MAX_THREADS = 200
"""Maximum number of threads: a new one removes the one that was silent for longest."""
MAX_THREAD_BYTES = 2 << 20
"""Bytes from which a thread takes no more messages."""
_MAX_BYTES_READ = 16 << 20
_SUFFIX = ".jsonl"
_LOCK_TRIES = 5
"""Number of times that a file may be replaced while it is being locked."""


class OpenThread(NamedTuple):
    """A locked thread; only its holder appends to it."""

    folder_fd: int
    thread_id: str

    def read_messages(self) -> list[ChatMessage]:
        """Return the messages, oldest first."""
        return _read_messages(self.folder_fd, self.thread_id)

    def append(self, message: ChatMessage) -> None:
        """Append a message durably; raises `OSError` if the disk does not take it."""
        line = format_message_line(message).encode()
        atomic_files.append_lines(self.folder_fd, f"{self.thread_id}{_SUFFIX}", line)

    def require_room(self) -> None:
        """Raise `Refused` if the thread is too long for another message."""
        name = f"{self.thread_id}{_SUFFIX}"
        if os.stat(name, dir_fd=self.folder_fd).st_size >= MAX_THREAD_BYTES:
            raise Refused(
                f"thread `{self.thread_id}` is full", hint="begin another one: leave out --thread"
            )


class ThreadFile(NamedTuple):
    """One thread: its first and last message, number of lines, and when the file changed last."""

    thread_id: str
    first: ChatMessage
    last: ChatMessage
    message_count: int
    modified: float


@contextmanager
def lock_thread(tree: Tree, thread_id: str) -> Iterator[OpenThread]:
    """Yield a thread, new or not, that nobody else can write to; raises `ThreadBusy`."""
    require_thread_id(thread_id)
    with open_private_folder(tree.root, FOLDER) as at:
        is_new = not _exists(at, thread_id)
        file = _lock(at, thread_id, os.O_CREAT)
        try:
            if is_new:
                _remove_oldest(at, thread_id)
            yield OpenThread(at, thread_id)
        finally:
            os.close(file)


def require_thread_id(thread_id: str) -> None:
    """Raise `Usage` if a text cannot name a thread."""
    if not is_thread_id(thread_id):
        raise Usage(
            f"{thread_id[:80]!a} cannot name a thread",
            hint="use up to 64 of a-z, A-Z, 0-9, `_` and `-`",
        )


def read_thread(tree: Tree, thread_id: str) -> list[ChatMessage]:
    """Return the messages of a thread, oldest first; raises `NoSuchThread`."""
    require_thread_id(thread_id)
    with suppress(FileNotFoundError), _open_threads(tree) as at:
        if messages := _read_messages(at, thread_id):
            return messages
    raise NoSuchThread(thread_id)


def list_thread_files(tree: Tree, limit: int) -> list[ThreadFile]:
    """Return the threads with a message, the one that was used last first, at most `limit`."""
    found: list[ThreadFile] = []
    with (
        suppress(FileNotFoundError, OutsideTree),
        open_folder(tree.root, f".cortexfs/{FOLDER}") as at,
    ):
        for modified, thread_id in sorted(_list_threads(at), reverse=True):
            if len(found) == limit:
                break
            lines = _read_lines(at, thread_id)
            first, last = _find_message(lines), _find_message(reversed(lines))
            if first and last:
                found.append(ThreadFile(thread_id, first, last, len(lines), modified))
    return found


def delete_thread_file(tree: Tree, thread_id: str) -> None:
    """Delete a thread; raises `NoSuchThread`, and `ThreadBusy` while a message is answered."""
    require_thread_id(thread_id)
    with open_private_folder(tree.root, FOLDER) as at:
        try:
            _unlink_locked(at, thread_id)
        except FileNotFoundError:
            raise NoSuchThread(thread_id) from None


def _open_threads(tree: Tree) -> AbstractContextManager[int]:
    return open_folder(tree.root, f".cortexfs/{FOLDER}")


def _unlink_locked(at: int, thread_id: str) -> None:
    file = _lock(at, thread_id, 0)
    try:
        os.unlink(f"{thread_id}{_SUFFIX}", dir_fd=at)
    finally:
        os.close(file)


def _lock(at: int, thread_id: str, flags: int) -> int:
    """Return the locked file of a thread; another one may delete it until it is locked."""
    name = f"{thread_id}{_SUFFIX}"
    for _ in range(_LOCK_TRIES):
        file = atomic_files.open_private_file(at, name, os.O_RDWR | flags)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.stat(name, dir_fd=at, follow_symlinks=False), os.fstat(file)):
                return file
        except BlockingIOError:
            os.close(file)
            raise ThreadBusy(thread_id) from None
        except FileNotFoundError:
            if not flags:
                os.close(file)
                raise
        os.close(file)
    raise ThreadBusy(thread_id)


def _exists(at: int, thread_id: str) -> bool:
    with suppress(FileNotFoundError):
        os.stat(f"{thread_id}{_SUFFIX}", dir_fd=at, follow_symlinks=False)
        return True
    return False


def _list_threads(at: int) -> Iterator[tuple[float, str]]:
    """Yield each thread with the time of its last change."""
    for name in os.listdir(at):
        thread_id = name.removesuffix(_SUFFIX)
        if name.endswith(_SUFFIX) and is_thread_id(thread_id):
            with suppress(FileNotFoundError):
                yield os.stat(name, dir_fd=at, follow_symlinks=False).st_mtime, thread_id


def _remove_oldest(at: int, new: str) -> None:
    """Remove the oldest threads if there are too many; one in use stays."""
    every = sorted(each for each in _list_threads(at) if each[1] != new)
    for _, thread_id in every[: max(len(every) + 1 - MAX_THREADS, 0)]:
        with suppress(OSError, ThreadBusy):
            _unlink_locked(at, thread_id)


def _read_messages(at: int, thread_id: str) -> list[ChatMessage]:
    """Return the messages of a file; none of a missing one, or of what is no regular file."""
    return [message for line in _read_lines(at, thread_id) if (message := _parse_line(line))]


def _read_lines(at: int, thread_id: str) -> list[bytes]:
    """Return the lines of a file that are whole."""
    content = b""
    with suppress(OSError):
        content = atomic_files.read_file_bytes(at, f"{thread_id}{_SUFFIX}", _MAX_BYTES_READ)
    return [line for line in content.split(b"\n") if line[:1] == b"{" and line[-1:] == b"}"]


def _find_message(lines: Iterable[bytes]) -> ChatMessage | None:
    return next(filter(None, map(_parse_line, lines)), None)


def _parse_line(line: bytes) -> ChatMessage | None:
    return parse_message_line(line.decode("utf-8", "replace"))
