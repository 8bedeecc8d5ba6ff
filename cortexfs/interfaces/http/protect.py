"""The outermost layer of a server: who may ask, how much, for how long, and which headers go out.

What is behind it sees only requests with the token or a cookie, with a body that is complete.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import anyio
from starlette.requests import ClientDisconnect

from cortexfs.interfaces.http.check_access import find_cookie, find_form_refusal, find_refusal
from cortexfs.interfaces.http.drop_unread_body import MAX_DROPPED_BYTES, drop_unread_body
from cortexfs.interfaces.http.refusal import Refusal, make_refusal_response
from cortexfs.interfaces.http.request_head import read_head
from cortexfs.interfaces.http.server_access import make_csrf_token

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from cortexfs.interfaces.http.request_head import RequestHead
    from cortexfs.interfaces.http.server_access import ServerAccess

MAX_BODY_BYTES = 1024 * 1024
"""Maximum bytes of a request."""
RECEIVE_S, SEND_S = 20.0, 30.0
"""Seconds that a client has to send its request, and to take one part of an answer."""
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    b"content-security-policy": CSP.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    # with `no-referrer` a browser sends `Origin: null` with the forms of our own pages
    b"referrer-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"cache-control": b"no-store",
}
"""The headers of each answer that does not have its own."""
_IMPORTS = (
    (re.compile(r".*/import"), "import"),
    (re.compile(r"/api/v1/stories/[^/]+"), "story import"),
)
"""The paths of imports, and the commands that take a larger file."""
_TOO_SLOW = Refusal(408, "the body did not arrive in time", "send it again", "too-slow")


async def _accept_client(_head: RequestHead, _client: tuple[str, int] | None) -> Refusal | None:
    return None


class AccessRules(NamedTuple):
    """What a server refuses, how it says so, and how much it takes."""

    find_refusal: Callable[[RequestHead, ServerAccess], Refusal | None] = find_refusal
    find_client_refusal: Callable[
        [RequestHead, tuple[str, int] | None], Awaitable[Refusal | None]
    ] = _accept_client
    find_body_refusal: Callable[[RequestHead, ServerAccess, bytes], Refusal | None] = (
        find_form_refusal
    )
    make_response: Callable[[RequestHead, Refusal], Response] = make_refusal_response
    max_body_bytes: int = MAX_BODY_BYTES

    @property
    def too_large(self) -> Refusal:
        """The refusal of a body with more bytes."""
        detail = f"the body has more than {self.max_body_bytes} bytes"
        return Refusal(413, detail, "send less at once", "body-too-large")


_OWN_RULES = AccessRules()


def protect(app: ASGIApp, access: ServerAccess, rules: AccessRules = _OWN_RULES) -> ASGIApp:
    """Return an application that passes on only what may reach a route.

    Routes find in `request.state` whether the request has a cookie (`by_cookie`), and the CSRF
    token of that cookie (`csrf_token`), empty without one.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await app(scope, receive, send)
        elif scope["type"] == "http":
            limited = _add_headers(_limit_sending(send))
            head = read_head(scope)
            admitted = await _admit(head, scope.get("client"), access, receive, rules)
            if isinstance(admitted, Refusal):
                await rules.make_response(head, admitted)(scope, receive, limited)
                return
            scope["state"] = {**scope.get("state", {}), **_make_state(head, access)}
            try:
                await app(scope, _replay(admitted, receive), limited)
            except* ClientDisconnect:  # also in a group, where tasks have answered
                pass

    return drop_unread_body(answer, max(MAX_DROPPED_BYTES, 2 * rules.max_body_bytes))


async def _admit(
    head: RequestHead,
    client: tuple[str, int] | None,
    access: ServerAccess,
    receive: Receive,
    rules: AccessRules,
) -> bytes | Refusal:
    """Return the body of a request that may reach a route, or why it may not."""
    refusal = rules.find_refusal(head, access) or await rules.find_client_refusal(head, client)
    if refusal:
        return refusal
    is_large = head.length > rules.max_body_bytes
    body = rules.too_large if is_large else await _read_body(receive, rules)
    if isinstance(body, Refusal):
        return body if body is _TOO_SLOW else body._replace(hint=_hint_larger(head.path, body.hint))
    return rules.find_body_refusal(head, access, body) or body


def _hint_larger(path: str, hint: str) -> str:
    """Return what takes a larger file than a path does; `hint` if nothing does."""
    commands = (command for pattern, command in _IMPORTS if pattern.fullmatch(path))
    command = next(commands, "")
    return f"`cortexfs {command} FILE` takes a larger one" if command else hint


async def _read_body(receive: Receive, rules: AccessRules) -> bytes | Refusal:
    """Return the whole body; a refusal if it is too large or too slow."""
    parts, size = list[bytes](), 0
    with anyio.move_on_after(RECEIVE_S):
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                break
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > rules.max_body_bytes:
                return rules.too_large
            if not message.get("more_body", False):
                return b"".join(parts)
    return _TOO_SLOW


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return what gives a route the body that was read, and then whether the client has gone."""
    is_given = False

    async def receive_again() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again


def _make_state(head: RequestHead, access: ServerAccess) -> dict[str, object]:
    cookie = find_cookie(head, access)
    token = make_csrf_token(access, cookie) if cookie else ""
    return {"by_cookie": bool(cookie), "csrf_token": token}


def _limit_sending(send: Send) -> Send:
    """Return a `send` that ends the request of a client that takes nothing."""

    async def send_in_time(message: Message) -> None:
        try:
            with anyio.fail_after(SEND_S):
                await send(message)
        except TimeoutError:
            raise ClientDisconnect from None

    return send_in_time


def _add_headers(send: Send) -> Send:
    """Return a `send` that adds the headers that an answer does not have."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {name.lower() for name, _ in message.get("headers", ())}
            added = [pair for pair in HEADERS.items() if pair[0] not in own]
            message = {**message, "headers": [*message.get("headers", ()), *added]}
        await send(message)

    return send_with_headers
