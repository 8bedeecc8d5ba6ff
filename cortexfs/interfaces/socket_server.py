"""Answer requests on the daemon's socket, in a thread that nothing else uses."""

from __future__ import annotations

import selectors
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cortexfs.session.daemon_socket import is_same_user

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_REQUEST_BYTES = 64
MAX_CONNECTIONS = 16
REQUEST_S = 1.0
"""Seconds in which a client sends its line; then its connection is closed."""
POLL_S = 0.25
"""Seconds between two checks of open connections; without one the thread sleeps."""


@dataclass(slots=True, eq=False)
class SocketServer:
    """The listening socket, and the connections whose request is not complete."""

    listener: socket.socket
    answer: Callable[[str], str]
    """Returns the answer to a request, which is a line without its end; empty: no answer."""
    _wake: tuple[socket.socket, socket.socket] = field(default_factory=socket.socketpair)
    _open: dict[socket.socket, tuple[bytes, float]] = field(default_factory=dict)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread."""
        self._thread = threading.Thread(target=self._serve, name="cortexfs-socket", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread, and close everything; the file of the socket stays."""
        self._wake[1].close()
        if self._thread:
            self._thread.join(REQUEST_S)
        for each in (self.listener, self._wake[0], *self._open):
            each.close()

    def _serve(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._wake[0], selectors.EVENT_READ)
            selector.register(self.listener, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select(POLL_S if self._open else None):
                    if key.fileobj is self._wake[0]:
                        return
                    if key.fileobj is self.listener:
                        self._accept(selector)
                    elif isinstance(key.fileobj, socket.socket):
                        self._read(selector, key.fileobj)
                self._close_slow(selector)

    def _accept(self, selector: selectors.BaseSelector) -> None:
        try:
            connection, _ = self.listener.accept()
        except OSError:  # the client has gone, or there are no descriptors left
            time.sleep(0.01)
            return
        if len(self._open) >= MAX_CONNECTIONS or not is_same_user(connection):
            connection.close()
            return
        connection.settimeout(0)
        self._open[connection] = (b"", time.monotonic() + REQUEST_S)
        selector.register(connection, selectors.EVENT_READ)

    def _read(self, selector: selectors.BaseSelector, connection: socket.socket) -> None:
        """Read a part of a request; answer it when it is complete, and close the connection."""
        received, deadline = self._open[connection]
        with suppress(BlockingIOError, InterruptedError):
            try:
                part = connection.recv(MAX_REQUEST_BYTES + 1)
            except ConnectionError:
                part = b""
            received += part
            self._open[connection] = (received, deadline)
            if part and b"\n" not in received and len(received) <= MAX_REQUEST_BYTES:
                return
            self._answer(connection, received)
            self._close(selector, connection)

    def _answer(self, connection: socket.socket, received: bytes) -> None:
        line, end, _ = received.partition(b"\n")
        if end and len(line) <= MAX_REQUEST_BYTES:
            answer = self.answer(line.decode(errors="replace").strip())
            with suppress(OSError):  # a client that does not read, or has gone
                connection.send(answer.encode())

    def _close_slow(self, selector: selectors.BaseSelector) -> None:
        now = time.monotonic()
        for connection in [each for each, (_, end) in self._open.items() if end < now]:
            self._close(selector, connection)

    def _close(self, selector: selectors.BaseSelector, connection: socket.socket) -> None:
        del self._open[connection]
        selector.unregister(connection)
        connection.close()
