"""Serve clients over streamable HTTP, each request with the token of the tree."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mcp.server.transport_security import TransportSecuritySettings

from cortexfs.interfaces.drain_reads import drain_reads, drain_reads_regularly
from cortexfs.interfaces.http.protect import MAX_BODY_BYTES, protect
from cortexfs.interfaces.http.run_server import ServerLimits, run_server
from cortexfs.interfaces.http.server_access import make_access
from cortexfs.interfaces.mcp.sdk_server import make_sdk_server

if TYPE_CHECKING:
    import socket
    from collections.abc import Sequence

    from starlette.types import ASGIApp

    from cortexfs.interfaces.http.server_access import ServerAccess
    from cortexfs.interfaces.mcp.tool import Tool, ToolContext

MAX_CONNECTIONS = 64
"""Maximum number of open connections."""
MAX_SESSIONS, MAX_IDLE_S = 1000, 1800
"""Maximum number of sessions, and the seconds without a request after which one ends."""


def serve_http(
    context: ToolContext, tools: Sequence[Tool], listener: socket.socket, token: str
) -> None:
    """Serve `/mcp` on an open socket until the process is interrupted."""
    host, port = listener.getsockname()[:2]
    app = make_http_app(context, tools, make_access(host, port, token))
    beside = [partial(drain_reads_regularly, context.session)]
    run_server(app, listener, beside, ServerLimits(MAX_CONNECTIONS, "on"))
    drain_reads(context.session)
    context.session.close()


def make_http_app(context: ToolContext, tools: Sequence[Tool], access: ServerAccess) -> ASGIApp:
    """Return the server of the SDK behind the check of access, which knows hosts and origins."""
    app = make_sdk_server(context, tools).streamable_http_app(
        max_request_body_size=MAX_BODY_BYTES,
        session_idle_timeout=MAX_IDLE_S,
        max_sessions=MAX_SESSIONS,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return protect(app, access)
