"""A server has no more connections than it has descriptors for."""

from __future__ import annotations

import socket
import threading
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import anyio

from cortexfs.interfaces.http.run_server import ServerLimits, make_server, serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import Receive, Scope, Send

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
PATIENCE_S = 20


async def answer(_: Scope, __: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"done"})


def is_ended(client: socket.socket) -> bool:
    """Return whether the server has ended a connection, waiting a moment if it has not."""
    client.settimeout(0.2)
    try:
        return client.recv(1) == b""
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


@contextmanager
def run(limits: ServerLimits) -> Iterator[tuple[str, int]]:
    """Yield the address of a server."""
    server = make_server(answer, limits)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=anyio.run, args=(serve, server, listener, ()))
        thread.start()
        try:
            yield listener.getsockname()
        finally:
            server.should_exit = True
            thread.join(PATIENCE_S)


def test_what_is_too_much_is_ended_at_once_and_the_others_are_answered() -> None:
    with run(ServerLimits(connections=3)) as address, ExitStack() as opened:
        clients = [
            opened.enter_context(socket.create_connection(address, PATIENCE_S)) for _ in range(9)
        ]
        assert [is_ended(each) for each in clients] == [False] * 6 + [True] * 3
        clients[5].settimeout(PATIENCE_S)
        clients[5].sendall(REQUEST)
        assert b" 503 " in clients[5].makefile("rb").readline()
