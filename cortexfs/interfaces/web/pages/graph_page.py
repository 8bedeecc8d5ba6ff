"""Graph: all links as a picture that moves, with the same atoms in a list."""

from __future__ import annotations

from collections import Counter
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

FACETS = ("kind", "project", "status")
MAX_LISTED = 100
"""Number of atoms in the list."""
PICTURE_CSP = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""The policy of the picture, whose colours are a style of its own: nothing in it can run."""


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
    encoded = request.results.get(
        ("graph map", _filters(request)),
        lambda: bytes(JSONResponse(to_link_map_json(_map(request))).body),
        of_files_alone=True,
    )
    return Response(encoded, media_type="application/json")


def send_picture(request: PanelRequest) -> Response:
    """Return the same picture as SVG."""
    found = _map(request)
    text = render_graph_svg(found.nodes, found.links, found.layout)
    headers = {"content-security-policy": PICTURE_CSP}
    return Response(text, media_type="image/svg+xml", headers=headers)


def _map(request: PanelRequest) -> LinkMap:
    """Return the map: the page, its script and the picture need the same."""
    only = _filters(request)
    return request.results.get(
        ("graph", only), lambda: map_links(request.session, only), of_files_alone=True
    )


def _filters(request: PanelRequest) -> AtomFilter:
    return parse_filters(
        request.session,
        kinds=request.list_values("kind"),
        projects=request.list_values("project"),
        statuses=request.list_values("status"),
    )


def _count_facets(found: LinkMap) -> dict[str, list[tuple[str, int]]]:
    """Return the values by which the atoms can be filtered, the most frequent first."""
    values = {
        "kind": Counter(node.kind for node in found.nodes),
        "project": Counter(node.ref.rpartition("/")[0] for node in found.nodes),
        "status": Counter(node.status for node in found.nodes),
    }
    return {name: values[name].most_common() for name in FACETS}
