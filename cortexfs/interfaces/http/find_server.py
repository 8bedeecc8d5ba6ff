"""Find out whether the server on a port has the token of the tree, without sending the token."""

from __future__ import annotations

import secrets
import socket
import time
from typing import NamedTuple

from cortexfs.interfaces.http.listening_socket import format_address
from cortexfs.interfaces.http.server_access import (
    CHALLENGE_FIELD,
    ServerAccess,
    make_access,
    prove_identity,
)

PROBE_S, MAX_ANSWER_BYTES = 3.0, 10_000
"""Seconds that a server has to answer, and the bytes to read of what may be a stranger's answer."""


class FoundServer(NamedTuple):
    """A server that has the token of the tree."""

    access: ServerAccess
    address: str
    """`http://127.0.0.1:7438`."""


def find_server(host: str, port: int, token: str) -> FoundServer | None:
    """Return the server on a port if it proves that it has this token; else None.

    The proof is for a number that nobody has seen before, and for this port: who has recorded
    another one, or asks a server on another port for it, does not have it.
    """
    access, challenge = make_access(host, port, token, has_panel=True), secrets.token_hex(16)
    address = format_address(host, port)
    head = (
        f"GET /health?{CHALLENGE_FIELD}={challenge} HTTP/1.1\r\n"
        f"Host: {address}\r\nConnection: close\r\n\r\n"
    )
    try:
        answer = _ask(host, port, head.encode())
    except OSError:
        return None
    is_ours = prove_identity(access, challenge).encode() in answer
    return FoundServer(access, f"http://{address}") if is_ours else None


def _ask(host: str, port: int, request: bytes) -> bytes:
    """Return the beginning of what a server answers in time; raise `OSError` if it does not."""
    deadline, received = time.monotonic() + PROBE_S, b""
    with socket.create_connection((host, port), PROBE_S) as connection:
        connection.sendall(request)
        while len(received) < MAX_ANSWER_BYTES:
            connection.settimeout(max(deadline - time.monotonic(), 0.001))
            if not (part := connection.recv(MAX_ANSWER_BYTES)):
                break
            received += part
    return received
