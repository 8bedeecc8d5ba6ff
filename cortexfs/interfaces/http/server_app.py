"""The application of a server: routes of REST and of the panel behind one check of access.

How a page of the panel gets what it needs:

- Its routes are Starlette routes, made by a function that takes the session (`make_web_routes`
  in `interfaces/web`), and added to `make_routes` in `interfaces/cli/server_routes.py`. A route
  whose function is a plain `def` runs in a thread, where it may read the session; one that is
  `async def` runs in the event loop, and may not.
- Nobody reaches a route without the cookie or the token; a route need not check it. A browser gets
  the cookie from `/login?code=…`, which `cortexfs ui` opens, and is sent to `/`.
- `request.state.csrf_token` is the value that each form has in a hidden field `csrf`, and each
  change by a script in the header `X-CSRF-Token`. It is checked before the route is called.
- Forms are `application/x-www-form-urlencoded`, scripts send JSON; nothing else is accepted.
- An answer with headers of its own (`Cache-Control` of static files, a stricter
  `Content-Security-Policy`) keeps them; all others get those of `protect.HEADERS`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import anyio.to_thread
from starlette.applications import Starlette
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from cortexfs.errors import CortexError
from cortexfs.interfaces.http.check_access import find_cookie
from cortexfs.interfaces.http.client_user import UNKNOWN_USER, find_client_user
from cortexfs.interfaces.http.protect import protect
from cortexfs.interfaces.http.refusal import Refusal, make_refusal_response
from cortexfs.interfaces.http.request_head import read_head
from cortexfs.interfaces.http.server_access import (
    CHALLENGE_FIELD,
    COOKIE_S,
    LOGIN_PATH,
    MAX_CHALLENGE_CHARS,
    LoginCodes,
    prove_identity,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from starlette.requests import Request
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp

    from cortexfs.interfaces.http.server_access import ServerAccess
    from cortexfs.session.session import Session

MAX_THREADS = 8
"""Number of threads of all that has no limit of its own; each has a connection to the catalog."""
_USED_LINK = Refusal(
    403,
    "this link was used before, or is too old",
    "`cortexfs ui` opens a new one, and `cortexfs ui --link` prints it",
    "used-link",
)
_NO_ROUTE = Refusal(404, "nothing has this address", "check how it is written", "no-such-route")
_OTHER_USER = Refusal(
    403,
    "this link is for another user of this machine",
    "`cortexfs ui --link` prints yours",
    "other-user",
)
"""Other users can see the arguments of a browser, and the link in them."""


def make_server_app(
    session: Session,
    access: ServerAccess,
    routes: Sequence[BaseRoute],
    prepare: Callable[[], Awaitable[object]],
) -> ASGIApp:
    """Return the application of a server: these routes, the login, and whether it works.

    It is ready when `prepare` has ended, and the tree can be read.
    """
    own = [
        Route("/health", _make_health(access)),
        Route("/ready", _make_ready(session, prepare)),
        Route(LOGIN_PATH, _make_login(access)),
    ]
    app = Starlette(routes=[*own, *routes], exception_handlers={404: _refuse_unknown_path})
    return protect(app, access)


async def _refuse_unknown_path(request: Request, _: Exception) -> Response:
    """Refuse a path with a line end: no pattern of a route, not even that of all paths, fits it."""
    return make_refusal_response(read_head(request.scope), _NO_ROUTE)


async def limit_threads() -> None:
    """Let at most eight threads do what has no limit of its own: more would only take turns.

    Requests of REST and of the panel have limits of their own, apart for reads and for changes.
    """
    anyio.to_thread.current_default_thread_limiter().total_tokens = MAX_THREADS


def _make_health(access: ServerAccess) -> Callable[[Request], Awaitable[Response]]:
    async def health(request: Request) -> Response:
        challenge = request.query_params.get(CHALLENGE_FIELD, "")
        if not 0 < len(challenge) <= MAX_CHALLENGE_CHARS:
            return JSONResponse({"status": "ok"})
        return JSONResponse({"status": "ok", "server": prove_identity(access, challenge)})

    return health


def _make_ready(
    session: Session, prepare: Callable[[], Awaitable[object]]
) -> Callable[[Request], Awaitable[Response]]:
    def read() -> Response:
        try:
            with session.read():
                return JSONResponse({"status": "ready"})
        except (CortexError, OSError) as error:
            return JSONResponse({"status": "unavailable", "error": str(error)}, 503)

    async def ready(_: Request) -> Response:
        await prepare()
        return await anyio.to_thread.run_sync(read)

    return ready


def _make_login(access: ServerAccess) -> Callable[[Request], Awaitable[Response]]:
    """Return what exchanges the code of a link for a cookie, and sends the browser to `/`.

    A browser that has a cookie needs no code.
    """
    codes = LoginCodes(access)

    async def login(request: Request) -> Response:
        head, answer = read_head(request.scope), RedirectResponse("/", 303)
        client = request.client
        if client and not _is_own_user((client.host, client.port), access.port):
            return make_refusal_response(head, _OTHER_USER)
        if request.method == "GET" and find_cookie(head, access):
            return answer
        code = request.query_params.get("code", "")
        cookie = codes.redeem(code) if request.method == "GET" else None
        if cookie is None:
            return make_refusal_response(head, _USED_LINK)
        answer.set_cookie(
            access.cookie_name, cookie, max_age=COOKIE_S, httponly=True, samesite="strict"
        )
        return answer

    return login


def _is_own_user(client: tuple[str, int], server_port: int) -> bool:
    """Return whether a client is the user of this process, as far as the system tells."""
    return find_client_user(client, server_port) in {None, UNKNOWN_USER, os.getuid()}
