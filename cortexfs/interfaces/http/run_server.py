"""Run an application on an open socket until the process is interrupted."""

from __future__ import annotations

import logging
import resource
import signal
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import anyio
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from cortexfs.interfaces.http.silent_connections import close_silent_connections, end_streams

if TYPE_CHECKING:
    import asyncio
    import socket
    from collections.abc import Callable, Coroutine, Sequence

    from starlette.types import ASGIApp

    Task = Callable[[], Coroutine[Any, Any, None]]
    """What runs beside a server; it is cancelled at the end."""

SILENCE_S = 5.0
"""Seconds between two looks for connections without a request."""
EXIT_S = 0.1
"""Seconds between two looks whether the server is to end."""
SHUTDOWN_S = 1
"""Seconds that open requests have when the server is stopped."""
BACKLOG = 128
"""Number of connections that wait to be accepted; asyncio accepts as many at once."""


_NO_ERRORS = {
    "ASGI callable returned without completing response.",
    "socket.send() raised exception.",
}
"""What uvicorn and asyncio say of an answer that ends early, or whose client has gone."""


class SignalNote:
    """A handler of signals that only notes that one came."""

    came = False

    def __call__(self, _number: int, _frame: object) -> None:
        """Note that a signal came."""
        self.came = True


class ServerLimits(NamedTuple):
    """The number of connections, and whether the application has a start and an end of its own."""

    connections: int = 64
    lifespan: Literal["on", "off"] = "off"


class _Connection(H11Protocol):
    """A connection, which is ended at once if there are too many for our descriptors."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or end it."""
        super().connection_made(transport)
        if len(self.connections) > _count_allowed(self.limit_concurrency or BACKLOG):
            transport.abort()


def _count_allowed(served: int) -> int:
    """Return how many connections may be open: twice those served, or half of all descriptors."""
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return min(2 * served, descriptors // 2) if descriptors > 0 else 2 * served


def run_server(
    app: ASGIApp,
    listener: socket.socket,
    beside: Sequence[Task],
    limits: ServerLimits,
) -> None:
    """Serve until the process is interrupted; what runs beside the server is then cancelled."""
    anyio.run(serve, make_server(app, limits), listener, beside)


def make_server(app: ASGIApp, limits: ServerLimits) -> uvicorn.Server:
    """Return a server that believes no proxy, and does not wait for open streams.

    It reports errors alone: a warning is about a request, and anybody could fill a log with those.
    """
    config = uvicorn.Config(
        app,
        loop="asyncio",
        http=_Connection,
        ws="none",
        lifespan=limits.lifespan,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=limits.connections,
        backlog=BACKLOG,
        timeout_graceful_shutdown=SHUTDOWN_S,
    )
    for name in ("uvicorn.error", "asyncio"):
        logging.getLogger(name).addFilter(_is_error_of_server)
    return uvicorn.Server(config)


def _is_error_of_server(record: logging.LogRecord) -> bool:
    return record.msg not in _NO_ERRORS


async def serve(server: uvicorn.Server, listener: socket.socket, beside: Sequence[Task]) -> None:
    """Serve on a socket until the server is told to end."""
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]

    async def end_if_told_before() -> None:
        """End the server after a signal that came before it had handlers of its own."""
        if any(isinstance(each, SignalNote) and each.came for each in handlers):
            server.should_exit = True

    async with anyio.create_task_group() as group:
        for each in (end_if_told_before, *beside):
            group.start_soon(each)
        group.start_soon(close_silent_connections, server, SILENCE_S)
        group.start_soon(end_streams, server, EXIT_S)
        await server.serve(sockets=[listener])
        group.cancel_scope.cancel()
