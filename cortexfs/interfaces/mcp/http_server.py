"""Serve clients over streamable HTTP, each request with the token of the tree."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

import anyio
import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from cortexfs.interfaces.mcp.drain_reads import drain_reads, drain_reads_regularly
from cortexfs.interfaces.mcp.drop_unread_body import drop_unread_body
from cortexfs.interfaces.mcp.sdk_server import make_sdk_server
from cortexfs.interfaces.mcp.silent_connections import close_silent_connections

if TYPE_CHECKING:
    import socket
    from collections.abc import Sequence

    from starlette.types import ASGIApp, Receive, Scope, Send

    from cortexfs.interfaces.mcp.tool import Tool, ToolContext

MAX_BODY_BYTES = 1024 * 1024
"""Maximum bytes of a request."""
MAX_CONNECTIONS = 64
"""Maximum number of open connections."""
MAX_SESSIONS, MAX_IDLE_S = 1000, 1800
"""Maximum number of sessions, and the seconds without a request after which one ends."""
SILENCE_S = 5.0
"""Seconds between two looks for connections without a request."""
SHUTDOWN_S = 1
"""Seconds that open requests have when the server is stopped."""
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def serve_http(
    context: ToolContext, tools: Sequence[Tool], listener: socket.socket, token: str
) -> None:
    """Serve `/mcp` on an open socket until the process is interrupted."""
    anyio.run(_serve, make_app(context, tools, listener.getsockname()[0], token), listener, context)
    drain_reads(context)
    context.session.close()


def make_app(context: ToolContext, tools: Sequence[Tool], host: str, token: str) -> ASGIApp:
    """Return the application: token, then `Host` and `Origin`, then the server of the SDK."""
    names = dict.fromkeys([*LOOPBACK, f"[{host}]" if ":" in host else host])
    security = TransportSecuritySettings(
        allowed_hosts=[f"{name}:*" for name in names],
        allowed_origins=[f"http://{name}:*" for name in names],
    )
    app = make_sdk_server(context, tools).streamable_http_app(
        max_request_body_size=MAX_BODY_BYTES,
        session_idle_timeout=MAX_IDLE_S,
        max_sessions=MAX_SESSIONS,
        transport_security=security,
        host=host,
    )
    return drop_unread_body(_require_token(app, token))


async def _serve(app: ASGIApp, listener: socket.socket, context: ToolContext) -> None:
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        ws="none",
        server_header=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_graceful_shutdown=SHUTDOWN_S,
    )
    async with anyio.create_task_group() as group:
        group.start_soon(drain_reads_regularly, context)
        server = uvicorn.Server(config)
        group.start_soon(close_silent_connections, server, SILENCE_S)
        await server.serve(sockets=[listener])
        group.cancel_scope.cancel()


def _require_token(app: ASGIApp, token: str) -> ASGIApp:
    """Return an application that answers 401 to requests without the bearer token."""
    expected = f"Bearer {token}".encode()

    async def check_token(scope: Scope, receive: Receive, send: Send) -> None:
        given = dict(scope.get("headers", ())).get(b"authorization", b"")
        if scope["type"] == "lifespan" or hmac.compare_digest(given, expected):
            await app(scope, receive, send)
            return
        body = b'{"error": "a bearer token is required"}'
        headers = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return check_token
