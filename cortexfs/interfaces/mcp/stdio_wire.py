"""The standard streams as a wire: a thread reads lines, any thread writes messages."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import dataclass, field
from queue import Queue
from typing import TYPE_CHECKING

from cortexfs.interfaces.mcp.early_answer import make_early_answer
from cortexfs.interfaces.mcp.stdio_lines import LongLine, split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHUNK_BYTES = 65_536
"""Maximum bytes of one read."""
GRACE_S = 10.0
"""Seconds that answers may still take after the client has closed its stream."""
MAX_WAITING_LINES = 64
"""Maximum number of lines that wait; then the client has to wait."""


@dataclass(slots=True, eq=False)
class StdioWire:
    """The wire to the client, over two descriptors that nothing else in the process uses."""

    read_fd: int
    write_fd: int
    lines: Queue[bytes | LongLine | None] = field(
        default_factory=lambda: Queue(maxsize=MAX_WAITING_LINES)
    )
    """The lines that were read; None at the end of the stream."""
    answered_early: str | int | None = None
    """The id of the first request, if it was answered without the SDK."""
    instructions: str = ""
    """What the early answer tells the model."""
    on_end: Callable[[], object] = bool
    """Called when the input ends."""
    _write_lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def claim_standard_streams(cls) -> StdioWire:
        """Take over stdin and stdout: from now on others read nothing, and print to stderr."""
        wire = cls(os.dup(0), os.dup(1))
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
        os.dup2(2, 1)
        return wire

    def start_reading(self) -> None:
        """Start the thread that reads; it answers a simple first request itself."""
        threading.Thread(target=self._read, name="read-stdin", daemon=True).start()

    def write(self, message: dict[str, object]) -> None:
        """Write a message; raises `OSError` if the client has closed the stream."""
        self.write_line(json.dumps(message).encode())

    def write_line(self, line: bytes) -> None:
        """Write a line; raises `OSError` if the client has closed the stream."""
        rest = memoryview(line + b"\n")
        with self._write_lock:
            while rest:
                rest = rest[os.write(self.write_fd, rest) :]

    def end_input(self) -> None:
        """Act as if the client had closed the stream; waits until that is taken note of."""
        self.on_end()
        self.lines.put(None)

    def end_input_soon(self) -> None:
        """End the input without waiting: for the event loop, and for signals."""
        threading.Thread(target=self.end_input, daemon=True).start()

    def _read(self) -> None:
        try:
            for number, line in enumerate(split_lines(self._read_chunks())):
                if number == 0 and isinstance(line, bytes):
                    self._answer_early(line)
                self.lines.put(line)
        except OSError:
            pass  # the client has gone
        self.end_input()

    def _read_chunks(self) -> Iterator[bytes]:
        while chunk := os.read(self.read_fd, CHUNK_BYTES):
            yield chunk

    def _answer_early(self, line: bytes) -> None:
        if answer := make_early_answer(line, self.instructions):
            ident = answer["id"]
            self.answered_early = ident if isinstance(ident, str | int) else None
            self.write(answer)
