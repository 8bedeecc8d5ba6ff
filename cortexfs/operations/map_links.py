"""Map all links of a tree, or of a part of it: a graph with a place for each atom."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.graph.extend_layout import extend_layout
from cortexfs.core.graph.lay_out_graph import lay_out_graph
from cortexfs.core.graph.layout_text import StoredLayout, format_layout, parse_layout
from cortexfs.operations.shared.filters import require_known_filter_names
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.graph.lay_out_graph import GraphLayout
    from cortexfs.core.graph.resolve_links import LinkedAtom
    from cortexfs.session.session import Session

NO_FILTER = AtomFilter()
"""No filter."""
MAX_NODES = 10_000
"""Default number of atoms of a map: more can neither be told apart nor moved fluidly."""
MAX_GROWTH = 1.3
"""The factor of growth, of atoms or links, from which all atoms get new places."""
_LAYOUT_KEY = "layout of the graph"


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


@lru_cache(maxsize=1)
def lay_out(node_count: int, links: tuple[tuple[int, int], ...]) -> GraphLayout:
    """Return the layout of a graph, always the same."""
    return lay_out_graph(node_count, links, Random(0))  # noqa: S311 - a picture, no secret


@lru_cache(maxsize=1)
def _parse_stored(text: str) -> StoredLayout:
    return parse_layout(text)


def map_links(session: Session, only: AtomFilter = NO_FILTER, limit: int = MAX_NODES) -> LinkMap:
    """Return the map of the atoms that match filters; those without links are in it too.

    An atom stays where it was on the last map of all atoms, unless many have been added since.
    """
    with session.read(NeededContents.TEXTS, drain=True) as view:
        require_known_filter_names(view, only)
        queries = view.text_queries().link_queries()
        nodes = queries.list_nodes(only, limit)
        links = queries.list_inner_links(nodes)
        omitted = queries.count_nodes(only) - len(nodes) if len(nodes) == limit else 0
        stored = _parse_stored(view.catalog.get_value(_LAYOUT_KEY))
    is_new = (
        len(nodes) > MAX_GROWTH * stored.node_count or len(links) > MAX_GROWTH * stored.link_count
    )
    names = [node.ref for node in nodes]
    layout = (
        lay_out(len(nodes), tuple(links)) if is_new else extend_layout(names, links, stored.nodes)
    )
    if only == NO_FILTER and limit >= MAX_NODES and (is_new or not stored.nodes.keys() >= {*names}):
        counts = (len(nodes), len(links)) if is_new else stored[1:]
        session.reader.store_value(_LAYOUT_KEY, format_layout(names, layout, *counts))
        lay_out.cache_clear()  # the next map has the stored places
    return LinkMap(nodes, links, layout, omitted)
