"""Entities: what the texts mention, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.entities import ENTITY_ORDERS, EntityFilter
from cortexfs.interfaces.web.render_page import render
from cortexfs.operations.browse_atoms import read_origins
from cortexfs.operations.entities import browse_entities, find_mentions

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest

PAGE_SIZE = 100


class ListedRequest(NamedTuple):
    """The order of the list, as the heads of its columns need it."""

    sort: str
    descending: bool


def show_entities(request: PanelRequest) -> Response:
    """Return the entities that match, or the atoms that mention one."""
    name, sort = request.get("name").strip(), request.get("type")
    if name:
        mentions = find_mentions(request.session, name, sort)
        origins = read_origins(request.session, [each.path for each in mentions])
        shown = {"mentions": mentions, "origins": origins, "name": name}
        return render(request, "mentions.html", **shown)
    order, typed = request.get("sort", ENTITY_ORDERS[0]), request.get("order")
    descending = order == ENTITY_ORDERS[0] if typed not in {"up", "down"} else typed == "down"
    page = max(1, request.number("page"))
    wanted = EntityFilter(request.get("q").strip(), sort, order, descending)
    found = browse_entities(request.session, wanted, PAGE_SIZE, page)
    return render(
        request,
        "entities.html",
        found=found,
        facets={"type": found.sorts},
        asked=ListedRequest(order, descending),
        page=page,
        last_page=max(1, -(-found.total // PAGE_SIZE)),
    )
