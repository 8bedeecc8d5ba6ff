"""No route is open: each is asked without a token, with a wrong one, and as a foreign page asks."""

from __future__ import annotations

import os
import socket

import pytest
from place import build_tree
from running_server import PATIENCE_S, RunningServer, make_server_fixture

from cortexfs.interfaces.rest.endpoint_table import ENDPOINTS
from cortexfs.interfaces.rest.openapi import EVENTS_PATH, METRICS_PATH, OPENAPI_PATH

OWN = [("GET", path) for path in (METRICS_PATH, EVENTS_PATH, OPENAPI_PATH, "/ready", "/")]
ROUTES = [(row.method, row.path.replace(":path", "")) for row in ENDPOINTS] + OWN
REQUESTS = {
    "no token": ({"Authorization": ""}, 401),
    "a wrong token": ({"Authorization": "Bearer 0123456789abcdef0123456789abcdef"}, 401),
    "a wrong key": ({"Authorization": "", "X-API-Key": "x" * 43}, 401),
    "a foreign host": ({"Host": "example.org"}, 421),
    "a name that was rebound": ({"Host": "rebound.example.org:{port}"}, 421),
    "a foreign origin": ({"Origin": "https://example.org"}, 403),
    "a null origin": ({"Origin": "null"}, 403),
    "another port": ({"Sec-Fetch-Site": "same-site"}, 403),
}


server = make_server_fixture(build_tree)


@pytest.mark.parametrize("name", REQUESTS)
def test_every_route_refuses(server: RunningServer, name: str) -> None:
    headers, status = REQUESTS[name]
    port = str(server.access.port)
    sent = {key: value.replace("{port}", port) for key, value in headers.items()}
    statuses = {
        (method, path): server.ask(
            method, path.replace("{", "").replace("}", ""), None, sent
        ).status
        for method, path in ROUTES
    }
    assert {route: found for route, found in statuses.items() if found != status} == {}


def test_every_route_that_changes_something_refuses_text(server: RunningServer) -> None:
    sent = {"Content-Type": "text/plain"}
    for method, path in ROUTES:
        if method != "GET":
            url = path.replace("{", "").replace("}", "")
            assert server.ask(method, url, b'{"id": "x"}', sent).status == 415, (method, path)


def test_a_thousand_requests_leave_no_descriptor(server: RunningServer, soak: bool) -> None:
    server.ask("GET", "/api/v1/atoms")
    before = len(os.listdir("/proc/self/fd"))
    for number in range(10_000 if soak else 300):
        path = ("/api/v1/atoms", "/api/observations", "/nowhere", "/health")[number % 4]
        server.ask("GET", path)
    assert len(os.listdir("/proc/self/fd")) <= before + 5


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
