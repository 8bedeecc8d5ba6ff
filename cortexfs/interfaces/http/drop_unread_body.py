"""Read the rest of a refused request, so that its sender gets to see the refusal.

A connection that is closed while bytes arrive is reset, and a client that is still sending then
reports a broken pipe in place of the status.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_DROPPED_BYTES = 8 * 1024 * 1024
"""Maximum bytes of a refused request that are read, for a server with small ones; above it the
connection is closed."""
MAX_DROPPING_S = 5.0
"""Seconds that a client has to send them."""
FIRST_ERROR_STATUS = 400


def drop_unread_body(app: ASGIApp, max_bytes: int = MAX_DROPPED_BYTES) -> ASGIApp:
    """Return an application that ends a refusal when the request was read to its end."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        is_unread = scope["type"] == "http" and not _waits_for_permission(scope)
        is_refused = False

        async def receive_and_note() -> Message:
            nonlocal is_unread
            message = await receive()
            is_unread = is_unread and message.get("more_body", False)
            return message

        async def send_after_body(message: Message) -> None:
            nonlocal is_refused
            is_refused = is_refused or message.get("status", 0) >= FIRST_ERROR_STATUS
            is_end = message["type"] == "http.response.body" and not message.get("more_body")
            if is_refused and is_unread and is_end:
                await _drop_rest(receive, max_bytes)
            await send(message)

        await app(scope, receive_and_note, send_after_body)

    return answer


def _waits_for_permission(scope: Scope) -> bool:
    """Return whether the client sends the body only if it is asked to."""
    return any(name == b"expect" for name, _ in scope["headers"])


async def _drop_rest(receive: Receive, max_bytes: int) -> None:
    """Read until the request ends, but neither too much nor for too long."""
    dropped = 0
    with anyio.move_on_after(MAX_DROPPING_S):
        while dropped <= max_bytes:
            message = await receive()
            dropped += len(message.get("body", b""))
            if not message.get("more_body", False):
                return
