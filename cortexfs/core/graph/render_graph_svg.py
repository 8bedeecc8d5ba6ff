"""Draw a graph that was laid out as an SVG picture: for pages, documents and downloads.

The picture has no script and refers to nothing outside; texts of atoms are escaped.
"""

from __future__ import annotations

from collections import Counter
from html import escape
from itertools import chain
from typing import TYPE_CHECKING

from cortexfs.core.graph.render_graph import format_label
from cortexfs.core.text.sanitize import to_one_line, truncate_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from cortexfs.core.graph.lay_out_graph import GraphLayout, Place
    from cortexfs.core.graph.resolve_links import LinkedAtom

SCALE = 40
"""Pixels for a unit of the layout."""
MIN_RADIUS, MAX_RADIUS = 3.5, 10.0
"""Pixels of the radius of a node without links, and with the most."""
LABEL_CELL = (90, 18)
"""Pixels of the cells of which each has at most one label: that of its node with most links."""
LABEL_WIDTH = 28
"""Maximum number of characters of a label."""
MARGIN = 24
_STYLE = """
svg{background:#fff;font:11px system-ui,sans-serif}
.l{stroke:#59636e;stroke-opacity:.22;fill:none}
text{fill:#1f2328;paint-order:stroke;stroke:#fff;stroke-width:3px;text-anchor:middle}
circle{stroke:#fff;stroke-width:1}.past{fill-opacity:.35}
@media (prefers-color-scheme:dark){svg{background:#0d1117}.l{stroke:#9198a1}
text{fill:#f0f6fc;stroke:#0d1117}circle{stroke:#0d1117}}
"""
COLOURS = (
    "#0969da", "#1a7f37", "#bc4c00", "#8250df", "#bf3989", "#1b7c83",
    "#9a6700", "#cf222e", "#4c6b9a", "#5c7a29", "#a0507a", "#6e5494",
)  # fmt: skip
"""The colours of the largest communities; of at least 3 : 1 to white and to the dark background."""
OTHER_COLOUR = "#818b98"


def render_graph_svg(
    nodes: Sequence[LinkedAtom], links: Collection[tuple[int, int]], layout: GraphLayout
) -> str:
    """Return the picture of a graph as an SVG document, which scales to any width."""
    places = [(MARGIN + x * SCALE, MARGIN + y * SCALE) for x, y in layout.places]
    counts = Counter(chain.from_iterable(links))
    most = max(counts.values(), default=0)
    radii = [compute_radius(counts[number], most) for number in range(len(nodes))]
    width = max((x for x, _ in places), default=0) + MARGIN
    height = max((y for _, y in places), default=0) + MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" '
        f'aria-label="{len(nodes)} atoms and {len(links)} links">'
    )
    parts = [head, f"<style>{_STYLE}</style>", _draw_links(places, links)]
    parts += map(_draw_node, nodes, places, radii, layout.communities)
    parts += _draw_labels(nodes, places, radii)
    return "\n".join([*parts, "</svg>"])


def compute_radius(link_count: int, most: int) -> float:
    """Return the radius of a node in pixels: its area grows with its links."""
    share = (link_count / most) ** 0.5 if most else 0.0
    return MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * share


def _draw_links(places: Sequence[Place], links: Collection[tuple[int, int]]) -> str:
    """Return one path for all links: thousands of elements would be slow."""
    steps = (
        f"M{places[a][0]:.1f} {places[a][1]:.1f}L{places[b][0]:.1f} {places[b][1]:.1f}"
        for a, b in links
    )
    return f'<path class="l" d="{"".join(steps)}"/>'


def _draw_node(node: LinkedAtom, place: Place, radius: float, community: int) -> str:
    colour = COLOURS[community] if community < len(COLOURS) else OTHER_COLOUR
    past = ' class="past"' if node.is_inactive else ""
    title = f"<title>{escape(format_label(node))}</title>"
    at = f'cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="{radius:.1f}"'
    return f'<circle{past} {at} fill="{colour}">{title}</circle>'


def _draw_labels(
    nodes: Sequence[LinkedAtom], places: Sequence[Place], radii: Sequence[float]
) -> Iterator[str]:
    """Yield the labels that do not lie on others: of the nodes with most links."""
    taken: set[tuple[int, int]] = set()
    for node, (x, y), radius in sorted(
        zip(nodes, places, radii, strict=True), key=lambda drawn: -drawn[2]
    ):
        column, row = int(x // LABEL_CELL[0]), int(y // LABEL_CELL[1])
        near = {(column + dx, row + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        if taken.isdisjoint(near):
            taken.add((column, row))
            label = escape(truncate_line(to_one_line(node.ref), LABEL_WIDTH))
            yield f'<text x="{x:.1f}" y="{y - radius - 4:.1f}">{label}</text>'
