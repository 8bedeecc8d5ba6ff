"""No route is open: each is asked without a token, with a wrong one, and as a foreign page asks."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from place import build_tree
from running_server import PATIENCE_S, RunningServer, make_server_fixture, serve_in_thread
from soak_cases import leave_to_soak

from cortexfs.interfaces.http.listening_socket import open_listener
from cortexfs.interfaces.http.server_access import make_access, make_cookie
from cortexfs.interfaces.mcp.http_server import make_http_app
from cortexfs.interfaces.mcp.tool import ToolContext
from cortexfs.interfaces.mcp.tool_table import choose_from_table
from cortexfs.interfaces.rest.endpoint_table import ENDPOINTS
from cortexfs.interfaces.rest.openapi import EVENTS_PATH, METRICS_PATH, OPENAPI_PATH
from cortexfs.interfaces.web import routes

if TYPE_CHECKING:
    from collections.abc import Iterator

STATIC = Path(routes.__file__).parent / "static"

OWN = [("GET", path) for path in (METRICS_PATH, EVENTS_PATH, OPENAPI_PATH, "/ready")]
API = [(row.method, row.path.replace(":path", "")) for row in ENDPOINTS]
PAGES = [(method, path.replace(":path", "")) for method, path, _ in routes.PAGES]
FILES = [("GET", f"/static/0/{path.name}") for path in STATIC.iterdir() if path.is_file()]
MCP = [(method, "/mcp") for method in ("GET", "POST", "DELETE")]
ROUTES = [*API, *OWN, *PAGES, *FILES, ("POST", "/nowhere")]
FOREIGN = {
    "a foreign host": ({"Host": "example.org"}, 421),
    "a name that was rebound": ({"Host": "rebound.example.org:{port}"}, 421),
    "a foreign origin": ({"Origin": "https://example.org"}, 403),
    "a null origin": ({"Origin": "null"}, 403),
    "another port": ({"Sec-Fetch-Site": "same-site"}, 403),
}
REQUESTS = {
    "no token": ({"Authorization": ""}, 401),
    "a wrong token": ({"Authorization": "Bearer 0123456789abcdef0123456789abcdef"}, 401),
    "a wrong key": ({"Authorization": "", "X-API-Key": "x" * 43}, 401),
    **FOREIGN,
}
"""Headers that are added to those of a good request, and the status of the refusal."""


server = make_server_fixture(build_tree)


@pytest.fixture(scope="module")
def mcp_server(server: RunningServer) -> Iterator[RunningServer]:
    """A server of MCP on the same tree, with a token of its own."""
    with open_listener("127.0.0.1", 0) as listener:
        access = make_access(*listener.getsockname()[:2], "t" * 43)
        context = ToolContext(server.session, "", str(server.place.root))
        app = make_http_app(context, choose_from_table("agent"), access)
        with serve_in_thread(app, listener):
            by_token = {"Authorization": f"Bearer {access.token}"}
            yield RunningServer(access, server.session, server.place, by_token)


def list_statuses(
    server: RunningServer,
    asked: list[tuple[str, str]],
    added: dict[str, str],
    body: bytes | None = None,
) -> dict[tuple[str, str], int]:
    """Return the status of each route to a request with more headers."""
    port = str(server.access.port)
    sent = {key: value.replace("{port}", port) for key, value in added.items()}
    return {
        (method, path): server.ask(
            method, path.replace("{", "").replace("}", ""), body, sent
        ).status
        for method, path in asked
    }


@pytest.mark.parametrize("name", leave_to_soak(REQUESTS, every=2))
def test_every_route_refuses(server: RunningServer, mcp_server: RunningServer, name: str) -> None:
    headers, status = REQUESTS[name]
    found = list_statuses(server, ROUTES, headers) | list_statuses(mcp_server, MCP, headers)
    assert {route: each for route, each in found.items() if each != status} == {}


@pytest.mark.parametrize("name", leave_to_soak(FOREIGN, every=3))
def test_every_page_refuses_a_foreign_one_with_a_cookie_too(
    server: RunningServer, name: str
) -> None:
    headers, status = FOREIGN[name]
    cookie = {"Cookie": f"{server.access.cookie_name}={make_cookie(server.access)}"}
    found = list_statuses(server, ROUTES, {"Authorization": "", **cookie, **headers})
    assert {route: each for route, each in found.items() if each != status} == {}


def test_every_route_that_changes_something_refuses_text(
    server: RunningServer, mcp_server: RunningServer
) -> None:
    sent, body = {"Content-Type": "text/plain"}, b'{"id": "x"}'
    changing = [route for route in ROUTES if route[0] != "GET"]
    found = list_statuses(server, changing, sent, body)
    found |= list_statuses(mcp_server, MCP[1:], sent, body)
    assert {route: each for route, each in found.items() if each != 415} == {}


def test_every_page_that_changes_something_refuses_a_form_of_another_page(
    server: RunningServer,
) -> None:
    cookie = f"{server.access.cookie_name}={make_cookie(server.access)}"
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    changing = [route for route in PAGES if route[0] != "GET"]
    sent = {"Authorization": "", "Cookie": cookie, **form}
    found = list_statuses(server, changing, sent, b"csrf=guessed")
    assert {route: each for route, each in found.items() if each != 403} == {}


def test_a_thousand_requests_leave_no_descriptor(server: RunningServer, soak: bool) -> None:
    server.ask("GET", "/api/v1/atoms")
    before = len(os.listdir("/proc/self/fd"))
    for number in range(10_000 if soak else 300):
        path = ("/api/v1/atoms", "/api/observations", "/nowhere", "/health")[number % 4]
        server.ask("GET", path)
    assert len(os.listdir("/proc/self/fd")) <= before + 5


@pytest.mark.soak
def test_a_client_that_never_reads_stops_nobody(server: RunningServer) -> None:
    request = f"GET {OPENAPI_PATH} HTTP/1.1\r\nHost: 127.0.0.1:{server.access.port}\r\n"
    head = f"{request}Authorization: {server.by_token['Authorization']}\r\n\r\n".encode()
    silent = [
        socket.create_connection(("127.0.0.1", server.access.port), PATIENCE_S) for _ in range(20)
    ]
    try:
        for each in silent:
            each.sendall(head * 5)
        assert server.ask("GET", "/ready").status == 200
        assert server.ask("GET", "/api/v1/stats").status == 200
    finally:
        for each in silent:
            each.close()
