"""The routes of `cortexfs serve`: those of each interface over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from starlette.routing import BaseRoute

    from cortexfs.interfaces.http.run_server import Task
    from cortexfs.session.session import Session


class ServerRoutes(NamedTuple):
    """The routes of a server, all behind the check of access, and what runs beside them."""

    routes: Sequence[BaseRoute]
    beside: Sequence[Task]
    prepare: Callable[[], Awaitable[object]]
    """What has to end before the server is ready."""


def make_routes(session: Session) -> ServerRoutes:
    """Return the routes of the server for a tree."""
    from cortexfs.interfaces.rest.rest_routes import RestApp, make_rest_routes
    from cortexfs.interfaces.web.routes import make_web_routes

    rest = RestApp(session)
    routes = [*make_rest_routes(rest), *make_web_routes(session)]
    return ServerRoutes(routes, [rest.prepare], rest.make)
