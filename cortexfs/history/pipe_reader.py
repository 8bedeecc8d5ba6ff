"""Read the output of a child process through a pipe, with a deadline."""

from __future__ import annotations

import os
import select
import time

from cortexfs.history.git import git_timeout_s

_CHUNK = 1 << 16


class PipeReader:
    """A pipe that is read by lines and by counted bytes; each read has the deadline of git.

    Raises `TimeoutError` if a read exceeds the deadline, `EOFError` if the pipe ends early.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)
        self._buffer = bytearray()

    def read_line(self) -> bytes:
        """Return the bytes up to and including the next newline."""
        until = time.monotonic() + git_timeout_s()
        while (end := self._buffer.find(b"\n")) < 0:
            self._fill_buffer(until)
        return self._take_bytes(end + 1)

    def read_bytes(self, size: int) -> bytes:
        """Return exactly `size` bytes.

        A truncated tree object must not be used: the commit would drop the missing entries.
        """
        until = time.monotonic() + git_timeout_s()
        while len(self._buffer) < size:
            self._fill_buffer(until)
        return self._take_bytes(size)

    def _take_bytes(self, size: int) -> bytes:
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        return taken

    def _fill_buffer(self, until: float) -> None:
        left = max(0.0, until - time.monotonic())
        if not self._poll.poll(left * 1000):
            raise TimeoutError
        more = os.read(self._descriptor, _CHUNK)
        if not more:
            raise EOFError
        self._buffer += more
