"""A queue of paths that may have changed, from the observer's thread to the waiting thread.

The waiting thread sleeps on a pipe, not on a lock: a signal that arrives just before it sleeps
writes to the pipe too (`signal.set_wakeup_fd`), so it is never missed.
"""

from __future__ import annotations

import os
import select
import signal
import threading
from collections import deque
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class PathQueue:
    """A queue of paths, for one reader."""

    def __init__(self) -> None:
        self._paths: deque[str] = deque()
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        os.set_blocking(self._write, False)

    def add(self, path: str) -> None:
        """Add a path, and wake the reader."""
        self._paths.append(path)
        with suppress(BlockingIOError):  # a full pipe wakes the reader too
            os.write(self._write, b"\0")

    def wake(self) -> None:
        """Wake the reader, which finds no path."""
        with suppress(BlockingIOError, OSError):  # a closed queue has no reader
            os.write(self._write, b"\0")

    def wait(self, timeout_s: float) -> set[str]:
        """Return the queued paths, waiting for the first; empty after `timeout_s` seconds."""
        if not self._paths:
            select.select([self._read], [], [], timeout_s)
        with suppress(BlockingIOError):
            while os.read(self._read, 4096):
                pass
        found = set[str]()
        with suppress(IndexError):
            while True:
                found.add(self._paths.popleft())
        return found

    @contextmanager
    def wake_on_signals(self) -> Iterator[None]:
        """Let signals wake the reader, if it is the main thread."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)

    def close(self) -> None:
        """Close the pipe; no path may be added any more."""
        os.close(self._read)
        os.close(self._write)
