"""Graph: all links as a picture that moves, with the same atoms in a list."""

from __future__ import annotations

from collections import Counter
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import JSONResponse, Response

from cortexfs.core.find.count_facets import count_facets
from cortexfs.core.graph.render_graph_svg import render_graph_svg
from cortexfs.interfaces.json.graph import to_link_map_json
from cortexfs.interfaces.web.render_page import render
from cortexfs.operations.map_links import map_links
from cortexfs.operations.shared.filters import parse_filters

if TYPE_CHECKING:
    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.core.find.count_facets import FacetCounts
    from cortexfs.core.graph.resolve_links import LinkedAtom
    from cortexfs.interfaces.web.panel_request import PanelRequest
    from cortexfs.operations.map_links import LinkMap

MAX_LISTED = 100
"""Number of atoms in the list."""
PICTURE_CSP = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""The policy of the picture, whose colours are a style of its own: nothing in it can run."""


class GraphCell(NamedTuple):
    """What the atoms are counted by."""

    kind: str
    project: str
    status: str


def show_graph(request: PanelRequest) -> Response:
    """Return the page; the places of the atoms are fetched by its script."""
    found = _map(request)
    facets, most_linked = request.results.get(
        ("graph lists", _filters(request)),
        lambda: (_count_facets(found), _list_most_linked(found)),
        of_files_alone=True,
    )
    return render(
        request,
        "graph.html",
        found=found,
        facets=facets,
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


def _count_facets(found: LinkMap) -> FacetCounts:
    """Return the values by which the atoms can be filtered, the most frequent first."""
    values = (
        (node.kind for node in found.nodes),
        (node.ref.rpartition("/")[0] for node in found.nodes),
        (node.status for node in found.nodes),
    )
    counts = Counter(zip(*values, strict=True))  # of plain tuples: there are thousands
    cells = {GraphCell(*cell): count for cell, count in counts.items()}
    return count_facets(cells, dict.fromkeys(GraphCell._fields, ()))


def _list_most_linked(found: LinkMap) -> list[tuple[LinkedAtom, int, int]]:
    """Return the atoms with most links, each with their number and its community."""
    counts = found.count_links()
    least = min(nlargest(MAX_LISTED, counts), default=0)  # without keys: most are far below
    rows = zip(found.nodes, counts, found.layout.communities, strict=True)
    most = sorted((row for row in rows if row[1] >= least), key=lambda row: (-row[1], row[0].ref))
    return most[:MAX_LISTED]
