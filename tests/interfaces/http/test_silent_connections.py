"""A connection that sends no request is closed; one that waits for its answer is not."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
import pytest
import uvicorn

from cortexfs.interfaces.http.silent_connections import close_silent_connections

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
PATIENCE_S = 20


class SlowApp:
    """Answers a request when it is told to."""

    def __init__(self) -> None:
        self.may_answer = anyio.Event()

    async def __call__(self, _: Scope, __: Receive, send: Send) -> None:
        await self.may_answer.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"done"})


async def _exchange(sent: bytes) -> bytes:
    """Serve, send these bytes and open a silent connection; return what the first one gets."""
    app = SlowApp()
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = listener.getsockname()
        async with anyio.create_task_group() as group:
            group.start_soon(server.serve, [listener])
            group.start_soon(close_silent_connections, server, 0.05)
            first, silent = [
                await anyio.to_thread.run_sync(socket.create_connection, address, PATIENCE_S)
                for _ in range(2)
            ]
            with first, silent:
                first.sendall(sent)
                assert await anyio.to_thread.run_sync(silent.recv, 100) == b""
                app.may_answer.set()
                received = await anyio.to_thread.run_sync(first.recv, 1000)
            server.should_exit = True
            group.cancel_scope.cancel()
    return received


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: loc"])
def test_a_connection_without_a_whole_head_is_closed(sent: bytes) -> None:
    assert anyio.run(_exchange, sent) == b""


def test_a_request_that_waits_for_its_answer_gets_it() -> None:
    assert anyio.run(_exchange, REQUEST).startswith(b"HTTP/1.1 200")
