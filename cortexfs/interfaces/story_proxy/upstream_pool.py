"""Open connections to the server behind the proxy that wait for the next request."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import anyio

from cortexfs.interfaces.story_proxy.upstream_connection import (
    UpstreamClosed,
    UpstreamConnection,
    connect,
)

if TYPE_CHECKING:
    from cortexfs.interfaces.story_proxy.upstream_address import UpstreamAddress
    from cortexfs.interfaces.story_proxy.upstream_connection import (
        UpstreamAnswer,
        UpstreamRequest,
    )

MAX_IDLE, MAX_IDLE_S = 8, 30.0
"""Number of connections that wait, and for how many seconds."""


class UpstreamPool:
    """The connections of one event loop; an answer belongs to the connection that it came from."""

    def __init__(self, address: UpstreamAddress) -> None:
        self.address = address
        self._idle: list[tuple[UpstreamConnection, float]] = []

    async def acquire(self) -> UpstreamConnection:
        """Return a connection that waits, else a new one."""
        while self._idle:
            connection, since = self._idle.pop()
            is_ready = False
            try:
                is_ready = time.monotonic() - since < MAX_IDLE_S and await connection.is_quiet()
            finally:
                if not is_ready:
                    connection.close()
            if is_ready:
                return connection
        return await connect(self.address)

    async def send(
        self, connection: UpstreamConnection, request: UpstreamRequest
    ) -> tuple[UpstreamConnection, UpstreamAnswer]:
        """Send a request; once more if the server has just closed a connection that waited.

        Nothing is sent again once some of an answer has come: the server has the request.
        """
        try:
            return connection, await connection.send(request)
        except UpstreamClosed:
            connection.close()
            if not connection.was_used:
                raise
        connection = await connect(self.address)
        try:
            return connection, await connection.send(request)
        except BaseException:
            connection.close()
            raise

    def release(self, connection: UpstreamConnection) -> None:
        """Keep a connection for the next request if its answer is complete, else close it."""
        if len(self._idle) < MAX_IDLE and connection.can_be_used_again():
            self._idle.append((connection, time.monotonic()))
        else:
            connection.close()

    async def close_at_end(self) -> None:
        """Wait until the server ends, then close the connections that wait."""
        try:
            await anyio.sleep_forever()
        finally:
            while self._idle:
                self._idle.pop()[0].close()
