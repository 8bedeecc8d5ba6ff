"""Close connections that send no whole request, and at the end those whose answer has no end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    import uvicorn


async def close_silent_connections(server: uvicorn.Server, interval_s: float) -> None:
    """Close each connection without an open request in two looks in a row, until cancelled."""
    before: set[object] = set()
    while True:
        await anyio.sleep(interval_s)
        silent = {each for each in server.server_state.connections if not _has_request(each)}
        for each in silent & before:
            if transport := getattr(each, "transport", None):
                # one that is closing waits until the client has read the rest
                transport.abort() if transport.is_closing() else transport.close()
        before = set(silent)


async def end_streams(server: uvicorn.Server, interval_s: float) -> None:
    """Once the server is to end, close each connection whose answer has begun, until cancelled.

    A stream would not end, and uvicorn would report an error for each that it has to cancel.
    """
    while True:
        await anyio.sleep(interval_s)
        for each in list(server.server_state.connections) if server.should_exit else ():
            cycle, transport = getattr(each, "cycle", None), getattr(each, "transport", None)
            if cycle and cycle.response_started and not cycle.response_complete and transport:
                transport.close()


def _has_request(connection: object) -> bool:
    """Return whether the head of a request has arrived, and its answer is not complete."""
    cycle, transport = getattr(connection, "cycle", None), getattr(connection, "transport", None)
    is_closing = transport is not None and transport.is_closing()
    return cycle is not None and not cycle.response_complete and not is_closing
