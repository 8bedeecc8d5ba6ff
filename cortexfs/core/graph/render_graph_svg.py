"""Draw a graph that was laid out as an SVG picture: for pages, documents and downloads.

The picture has no script and refers to nothing outside; texts of atoms are escaped.
"""

from __future__ import annotations

from collections import Counter
from html import escape
from itertools import chain
from typing import TYPE_CHECKING

from cortexfs.core.graph.place_labels import Circle, place_labels
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
LETTER = 6.6
"""Pixels of a letter of a label, rather too many: fonts differ."""
LABEL_WIDTH = 28
"""Maximum number of characters of a label."""
MARGIN = 24
COLOURS = (
    ("#0969da", "#58a6ff"), ("#1a7f37", "#3fb950"), ("#bc4c00", "#f0883e"), ("#8250df", "#bc8cff"),
    ("#bf3989", "#f778ba"), ("#1b7c83", "#39c5cf"), ("#9a6700", "#d29922"), ("#cf222e", "#ff7b72"),
    ("#4c6b9a", "#8fb0e0"), ("#5c7a29", "#a9c46c"), ("#a0507a", "#dd9abf"), ("#6e5494", "#b8a1e0"),
    ("#818b98", "#7d8590"),
)  # fmt: skip
"""The colours of the largest communities in the light and the dark theme; the last is for others.

Each has a contrast of at least 3 : 1 to its background. `graph.css` of the panel has the same.
"""
PAPERS = ("#ffffff", "#111317")
"""The backgrounds of the two themes."""
_LINES, _INKS = ("#59626d", "#9ba3ae"), ("#1b1f24", "#e5e7ea")


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
    parts = [head, f"<style>{_render_style(len(links))}</style>", _draw_links(places, links)]
    parts += map(_draw_node, nodes, places, radii, layout.communities)
    parts += _draw_labels(nodes, places, radii, (width, height))
    return "\n".join([*parts, "</svg>"])


def _render_style(link_count: int) -> str:
    """Return the rules for both themes; the more links, the paler each, as the panel draws them."""
    opacity = max(0.08, min(0.3, 0.3 * (3000 / max(link_count, 1)) ** 0.5))
    shape = f"""
svg{{font:11px system-ui,sans-serif}}.l{{stroke-opacity:{opacity:.2f};fill:none}}
text{{paint-order:stroke;stroke-width:3px;text-anchor:middle}}.past{{fill-opacity:.4}}
"""
    light, dark = (
        f"svg{{background:{paper}}}.l{{stroke:{line}}}text{{fill:{ink};stroke:{paper}}}"
        + "".join(f".c{number}{{fill:{pair[at]}}}" for number, pair in enumerate(COLOURS))
        for at, (paper, line, ink) in enumerate(zip(PAPERS, _LINES, _INKS, strict=True))
    )
    return f"{shape}{light}\n@media (prefers-color-scheme:dark){{{dark}}}\n"


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
    classes = f"c{min(community, len(COLOURS) - 1)}" + (" past" if node.is_inactive else "")
    title = f"<title>{escape(format_label(node))}</title>"
    at = f'cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="{radius:.1f}"'
    return f'<circle class="{classes}" {at}>{title}</circle>'


def _draw_labels(
    nodes: Sequence[LinkedAtom], places: Sequence[Place], radii: Sequence[float], size: Place
) -> Iterator[str]:
    labels = [truncate_line(to_one_line(node.ref), LABEL_WIDTH) for node in nodes]
    circles = [Circle(x, y, radius) for (x, y), radius in zip(places, radii, strict=True)]
    for number, x, y in place_labels(circles, [LETTER * len(each) for each in labels], size):
        yield f'<text x="{x:.1f}" y="{y:.1f}">{escape(labels[number])}</text>'
