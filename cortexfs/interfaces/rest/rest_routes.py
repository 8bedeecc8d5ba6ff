"""The routes of REST for a server; FastAPI is imported a moment after the server has started."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from starlette.routing import Route

from cortexfs.errors import CortexError

if TYPE_CHECKING:
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp, Receive, Scope, Send

    from cortexfs.session.session import Session

PREPARE_S = 0.5
"""Seconds after the start in which other requests are answered first."""


class RestApp:
    """The application of REST, made by the first request or soon after the start."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lock = threading.Lock()
        self._limiter = anyio.CapacityLimiter(1)
        self._app: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        app = self._app
        if app is None:
            app = await self.make()
        await app(scope, receive, send)

    async def make(self) -> ASGIApp:
        """Return the application; it is made once."""
        return await anyio.to_thread.run_sync(self._make, limiter=self._limiter)

    async def prepare(self) -> None:
        """Make the application, and compare the tree, before somebody waits for it."""
        await anyio.sleep(PREPARE_S)
        await self.make()
        await anyio.to_thread.run_sync(self._compare, limiter=self._limiter)

    def _compare(self) -> None:
        with suppress(CortexError, OSError), self._session.read():
            pass  # the first read compares all files; those after it need not

    def _make(self) -> ASGIApp:
        from cortexfs.interfaces.rest.rest_app import make_rest_app

        with self._lock:
            if self._app is None:
                self._app = make_rest_app(self._session)
            return self._app


def make_rest_routes(app: RestApp) -> list[BaseRoute]:
    """Return the routes for the server: everything below `/api/`, and the metrics."""
    return [Route("/api/{path:path}", app), Route("/metrics", app)]
