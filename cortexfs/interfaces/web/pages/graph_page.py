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
    from cortexfs.interfaces.web.older_results import Shown
    from cortexfs.interfaces.web.panel_request import PanelRequest
    from cortexfs.operations.map_links import LinkMap
    from cortexfs.session.session import Session

MAX_LISTED = 100
"""Number of atoms in the list."""
AS_OF_HEADER = "x-as-of"
"""The header with the time of a map of an earlier state."""
PICTURE_CSP = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""The policy of the picture, whose colours are a style of its own: nothing in it can run."""


class GraphCell(NamedTuple):
    """What the atoms are counted by."""

    kind: str
    project: str
    status: str


class ShownGraph(NamedTuple):
    """What the page and its script show; the atoms themselves, which are many, are not kept."""

    atom_count: int
    link_count: int
    omitted_count: int
    facets: FacetCounts
    most_linked: list[tuple[LinkedAtom, int, int]]
    encoded_map: bytes
    """The atoms with their places, and the links, as JSON."""


def show_graph(request: PanelRequest) -> Response:
    """Return the page; the places of the atoms are fetched by its script."""
    shown = _get_graph(request)
    if shown.as_of:  # the live feed then says that there is another state
        request = request._replace(state="")
    return render(
        request,
        "graph.html",
        found=shown.result,
        as_of=shown.as_of,
        map=request.link().replace("/graph", "/graph/map", 1),
        picture=request.link().replace("/graph", "/graph/picture", 1),
    )


def send_map(request: PanelRequest) -> Response:
    """Return the atoms with their places, and the links, as JSON."""
    shown = _get_graph(request)
    headers = {AS_OF_HEADER: f"{shown.as_of:%Y-%m-%dT%H:%M:%SZ}"} if shown.as_of else {}
    encoded = shown.result.encoded_map
    return Response(encoded, media_type="application/json", headers=headers)


def send_picture(request: PanelRequest) -> Response:
    """Return the same picture as SVG; one of an earlier state says so."""
    only = _filters(request)
    shown = request.older.get(("graph picture", only), lambda: _draw(request.session, only))
    picture = shown.result
    if shown.as_of:
        note = f'<text x="50%" y="16">as of {shown.as_of:%Y-%m-%d %H:%M:%S} UTC</text>\n</svg>'
        picture = picture.removesuffix(b"</svg>") + note.encode()
    headers = {"content-security-policy": PICTURE_CSP}
    return Response(picture, media_type="image/svg+xml", headers=headers)


def _get_graph(request: PanelRequest) -> Shown[ShownGraph]:
    """Return what the page and its script need, made at once."""
    only = _filters(request)
    return request.older.get(("graph", only), lambda: _make_graph(request.session, only))


def _make_graph(session: Session, only: AtomFilter) -> ShownGraph:
    found = map_links(session, only)
    counts = (len(found.nodes), len(found.links), found.omitted_count)
    lists = (_count_facets(found), _list_most_linked(found))
    return ShownGraph(*counts, *lists, bytes(JSONResponse(to_link_map_json(found)).body))


def _draw(session: Session, only: AtomFilter) -> bytes:
    found = map_links(session, only)
    return render_graph_svg(found.nodes, found.links, found.layout).encode()


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
