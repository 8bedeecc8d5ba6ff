"""A server of a tree on a free port, in threads of the test's process."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from cortexfs.interfaces.cli.server_routes import make_routes
from cortexfs.interfaces.cli.start_server import ServerAddress, open_server
from cortexfs.interfaces.http.run_server import ServerLimits, make_server, serve
from cortexfs.interfaces.http.server_app import limit_threads, make_server_app
from cortexfs.interfaces.serve_session import serve_session
from cortexfs.session.session import Session

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator, Sequence

    from place import CopyTree, Place
    from starlette.types import ASGIApp

    from cortexfs.interfaces.http.run_server import Task
    from cortexfs.interfaces.http.server_access import ServerAccess

PATIENCE_S = 60
NOW = datetime(2026, 5, 6, 20, 31, tzinfo=UTC)


@dataclass(frozen=True)
class Answer:
    """The answer to one request."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class RunningServer:
    """A server that answers, and the place of its tree."""

    access: ServerAccess
    session: Session
    place: Place
    by_token: dict[str, str] = field(default_factory=dict)

    def ask(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """Send a request with the token; None as a header's value leaves it out."""
        sent = {**self.by_token, **(headers or {})}
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        if content is not None:
            sent.setdefault("Content-Type", "application/json")
        return self.send(method, path, content, sent)

    def send(
        self, method: str, path: str, content: bytes | None, headers: dict[str, str]
    ) -> Answer:
        """Send a request with these headers and no others."""
        connection = HTTPConnection("127.0.0.1", self.access.port, timeout=PATIENCE_S)
        try:
            connection.putrequest(method, path, skip_host="Host" in headers)
            for name, value in headers.items():
                connection.putheader(name, value)
            if content is not None:
                connection.putheader("Content-Length", str(len(content)))
            connection.endheaders(content)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, found, answer.read())
        finally:
            connection.close()


def make_server_fixture(build: Callable[[Place], None]) -> Any:
    """Return a fixture: one server for all tests of a module, on a tree of its own."""

    @pytest.fixture(scope="module")
    def server(
        tmp_path_factory: pytest.TempPathFactory, copy_tree: CopyTree
    ) -> Iterator[RunningServer]:
        place = copy_tree(tmp_path_factory.mktemp("served") / "tree", build)
        with run_server_of(place) as running:
            yield running

    return server


@contextmanager
def run_server_of(place: Place, port: int = 0) -> Iterator[RunningServer]:
    """Serve a tree until the end of the block; on any free port, unless one is named."""
    session = Session.open(str(place.root), lambda: NOW)
    with (
        open_server(session, ServerAddress(port=port)) as opened,
        serve_session(session, fail),
    ):
        made = make_routes(session)
        app = make_server_app(session, opened.access, made.routes, made.prepare)
        with serve_in_thread(app, opened.listener):
            token = {"Authorization": f"Bearer {opened.access.token}"}
            yield RunningServer(opened.access, session, place, token)


@contextmanager
def serve_in_thread(
    app: ASGIApp, listener: socket.socket, beside: Sequence[Task] = ()
) -> Iterator[None]:
    """Serve an application until the end of the block, and what runs beside it."""
    server = make_server(app, ServerLimits(200))
    arguments = (serve, server, listener, (limit_threads, *beside))
    thread = threading.Thread(target=anyio.run, args=arguments)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)


def fail(error: str) -> None:
    raise AssertionError(error)
