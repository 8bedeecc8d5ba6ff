"""Map all links of a tree, or of a part of it: a graph with a place for each atom."""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from itertools import chain
from math import isfinite
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.graph.lay_out_graph import keep_places, lay_out_graph
from cortexfs.operations.shared.filters import require_known_filter_names
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.graph.lay_out_graph import GraphLayout, Place
    from cortexfs.core.graph.resolve_links import AtomLink, LinkedAtom
    from cortexfs.session.session import Session

NO_FILTER = AtomFilter()
"""No filter."""
MAX_NODES = 10_000
"""Default number of atoms of a map: more can neither be told apart nor moved fluidly."""


MAX_GROWTH = 1.3
"""The factor of growth from which all atoms get new places; until then the known ones stay."""
_PLACES_KEY = "places of the graph"


class LinkMap(NamedTuple):
    """Atoms and the links among them; links name atoms by their place in the list."""

    nodes: Sequence[LinkedAtom]
    links: Sequence[tuple[int, int]]
    layout: GraphLayout
    omitted_count: int
    """Number of matching atoms that are left out: those with the fewest links of their own."""

    def count_links(self) -> list[int]:
        """Return the number of links of each atom, in both directions."""
        counts = Counter(chain.from_iterable(self.links))
        return [counts[number] for number in range(len(self.nodes))]


@lru_cache(maxsize=4)
def lay_out(node_count: int, links: tuple[tuple[int, int], ...]) -> GraphLayout:
    """Return the layout of a graph, always the same."""
    return lay_out_graph(node_count, links, Random(0))  # noqa: S311 - a picture, no secret


def map_links(session: Session, only: AtomFilter = NO_FILTER, limit: int = MAX_NODES) -> LinkMap:
    """Return the map of the atoms that match filters; those without links are in it too.

    An atom stays where it was on the last map of all atoms, unless many have been added since.
    """
    with session.read(NeededContents.TEXTS, drain=True) as view:
        require_known_filter_names(view, only)
        queries = view.text_queries().link_queries()
        nodes = queries.list_nodes(only, limit)
        links = _number_links(nodes, queries.find_inner_links({node.ref for node in nodes}))
        omitted = queries.count_nodes(only) - len(nodes) if len(nodes) == limit else 0
        stored = view.catalog.get_value(_PLACES_KEY)
    laid_out_count, places = _parse_places(stored)
    is_new = len(nodes) > MAX_GROWTH * laid_out_count
    layout = lay_out(len(nodes), tuple(links))
    if not is_new:
        known = {at: places[node.ref] for at, node in enumerate(nodes) if node.ref in places}
        layout = keep_places(layout, links, known)
    if only == NO_FILTER:
        text = _format_places(len(nodes) if is_new else laid_out_count, nodes, layout)
        if text != stored:
            session.store_value(_PLACES_KEY, text)
    return LinkMap(nodes, links, layout, omitted)


def _parse_places(stored: str) -> tuple[int, dict[str, Place]]:
    """Return how many atoms were laid out together, and the known places; none if unreadable."""
    try:
        count, places = json.loads(stored)
        known = {str(ref): (float(x), float(y)) for ref, (x, y) in places.items()}
        return int(count), {ref: place for ref, place in known.items() if all(map(isfinite, place))}
    except (ValueError, TypeError, AttributeError):
        return 0, {}


def _format_places(count: int, nodes: Sequence[LinkedAtom], layout: GraphLayout) -> str:
    drawn = zip(nodes, layout.places, strict=True)
    places = {node.ref: (round(x, 3), round(y, 3)) for node, (x, y) in drawn}
    return json.dumps([count, places])


def _number_links(nodes: Sequence[LinkedAtom], links: Iterable[AtomLink]) -> list[tuple[int, int]]:
    """Return the links among some atoms by their numbers."""
    number = {node.ref: at for at, node in enumerate(nodes)}
    return [(number[link.source], number[link.target]) for link in links]
