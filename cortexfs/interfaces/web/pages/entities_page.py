"""Entities: what the texts mention, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.find.entities import ENTITY_SORTS
from cortexfs.interfaces.web.render_page import render
from cortexfs.operations.browse_atoms import read_origins
from cortexfs.operations.entities import entities, find_mentions

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest

LIMIT = 200


def show_entities(request: PanelRequest) -> Response:
    """Return the most mentioned entities, or the atoms that mention one."""
    name, sort = request.get("name").strip(), request.get("sort")
    mentions = find_mentions(request.session, name, sort) if name else []
    found = [] if name else entities(request.session, sort, limit=LIMIT)
    return render(
        request,
        "entities.html",
        found=found,
        mentions=mentions,
        origins=read_origins(request.session, [each.path for each in mentions]),
        name=name,
        sort=sort,
        sorts=ENTITY_SORTS,
        limit=LIMIT,
    )
