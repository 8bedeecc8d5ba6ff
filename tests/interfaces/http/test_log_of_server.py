"""What a server reports: its own errors, and no line for what a client sends."""

from __future__ import annotations

import logging
import socket
from typing import TYPE_CHECKING

from running_server import PATIENCE_S, serve_in_thread

from cortexfs.interfaces.http.listening_socket import open_listener

if TYPE_CHECKING:
    import pytest
    from starlette.types import Receive, Scope, Send

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
UPGRADE = HEAD + b"Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n"
INVALID = (
    b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
    b"GET /\xff HTTP/1.1\r\n\r\n",
    HEAD + b"Content-Length: -1\r\n\r\n",
    HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
    HEAD + b"Transfer-Encoding: chunked, chunked\r\n\r\n",
    HEAD + b"bad header\r\n\r\n",
    HEAD + b"X: " + b"x" * 100_000,
)


async def answer(scope: Scope, _: Receive, send: Send) -> None:
    if scope["path"] == "/bug":
        raise ValueError("a bug")
    if scope["path"] == "/cut":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"done"})


def ask(port: int, request: bytes) -> int:
    """Return the status of the answer to these bytes."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as client:
        client.sendall(request)
        return int(client.makefile("rb").readline().split()[1])


def test_only_errors_of_the_server_are_reported(capfd: pytest.CaptureFixture[str]) -> None:
    with (
        open_listener("127.0.0.1", 0) as listener,
        serve_in_thread(answer, listener),
    ):
        port = listener.getsockname()[1]
        assert {ask(port, request) for request in INVALID} == {400}
        assert ask(port, UPGRADE) == 200
        assert ask(port, HEAD.replace(b"/ ", b"/cut ") + b"\r\n") == 200
        logging.getLogger("asyncio").warning(
            "socket.send() raised exception."
        )  # its client has gone
        noise = capfd.readouterr().err
        assert ask(port, HEAD.replace(b"/ ", b"/bug ") + b"Connection: close\r\n\r\n") == 500
        reported = capfd.readouterr().err
    assert noise == ""
    assert "ValueError: a bug" in reported
