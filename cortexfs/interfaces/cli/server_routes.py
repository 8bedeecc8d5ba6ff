"""The routes of `cortexfs serve`: those of each interface over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from cortexfs.session.session import Session


def make_routes(session: Session) -> list[BaseRoute]:
    """Return the routes of the server for a tree; all of them are behind the check of access."""
    _ = session
    return []
