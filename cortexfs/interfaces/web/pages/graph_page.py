"""Graph: all links as a picture that moves, with the same atoms in a list."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, Response

from cortexfs.core.graph.render_graph_svg import render_graph_svg
from cortexfs.interfaces.json.graph import to_link_map_json
from cortexfs.interfaces.web.render_page import render
from cortexfs.operations.map_links import map_links
from cortexfs.operations.shared.filters import parse_filters

if TYPE_CHECKING:
    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.interfaces.web.panel_request import PanelRequest
    from cortexfs.operations.map_links import LinkMap
    from cortexfs.session.session import Session

FACETS = ("kind", "project", "status")
MAX_LISTED = 100
"""Number of atoms in the list."""


def show_graph(request: PanelRequest) -> Response:
    """Return the page; the places of the atoms are fetched by its script."""
    found = _map(request)
    counts = zip(found.nodes, found.count_links(), found.layout.communities, strict=True)
    most_linked = sorted(counts, key=lambda row: (-row[1], row[0].ref))[:MAX_LISTED]
    return render(
        request,
        "graph.html",
        found=found,
        facets=_count_facets(found),
        most_linked=most_linked,
        map=request.link().replace("/graph", "/graph/map", 1),
        picture=request.link().replace("/graph", "/graph/picture", 1),
    )


def send_map(request: PanelRequest) -> Response:
    """Return the atoms with their places, and the links, as JSON."""
    return JSONResponse(to_link_map_json(_map(request)))


def send_picture(request: PanelRequest) -> Response:
    """Return the same picture as SVG."""
    found = _map(request)
    return Response(
        render_graph_svg(found.nodes, found.links, found.layout), media_type="image/svg+xml"
    )


def _map(request: PanelRequest) -> LinkMap:
    only = parse_filters(
        request.session,
        kinds=request.list_values("kind"),
        projects=request.list_values("project"),
        statuses=request.list_values("status"),
    )
    return _map_state(request.session, request.results.tree.read(), only)


@lru_cache(maxsize=4)
def _map_state(session: Session, _state: str, only: AtomFilter) -> LinkMap:
    """Return the map of a state of the tree: the page, its script and the picture need the same."""
    return map_links(session, only)


def _count_facets(found: LinkMap) -> dict[str, list[tuple[str, int]]]:
    """Return the values by which the atoms can be filtered, the most frequent first."""
    values = {
        "kind": Counter(node.kind for node in found.nodes),
        "project": Counter(node.ref.rpartition("/")[0] for node in found.nodes),
        "status": Counter(node.status for node in found.nodes),
    }
    return {name: values[name].most_common() for name in FACETS}
