"""Map all links of a tree, or of a part of it: a graph with a place for each atom."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.graph.lay_out_graph import lay_out_graph
from cortexfs.operations.shared.filters import require_known_filter_names
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from cortexfs.core.graph.lay_out_graph import GraphLayout
    from cortexfs.core.graph.resolve_links import AtomLink, LinkedAtom
    from cortexfs.session.session import Session

NO_FILTER = AtomFilter()
"""No filter."""
MAX_NODES = 10_000
"""Default number of atoms of a map: more can neither be told apart nor moved fluidly."""


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


def lay_out(node_count: int, links: Collection[tuple[int, int]]) -> GraphLayout:
    """Return the layout of a graph, always the same."""
    return lay_out_graph(node_count, links, Random(0))  # noqa: S311 - a picture, no secret


def map_links(session: Session, only: AtomFilter = NO_FILTER, limit: int = MAX_NODES) -> LinkMap:
    """Return the map of the atoms that match filters; those without links are in it too."""
    with session.read(NeededContents.TEXTS, drain=True) as view:
        require_known_filter_names(view, only)
        queries = view.text_queries().link_queries()
        nodes = queries.list_nodes(only, limit)
        links = _number_links(nodes, queries.find_links({node.ref for node in nodes}))
        omitted = queries.count_nodes(only) - len(nodes) if len(nodes) == limit else 0
    return LinkMap(nodes, links, lay_out(len(nodes), links), omitted)


def _number_links(nodes: Sequence[LinkedAtom], links: Iterable[AtomLink]) -> list[tuple[int, int]]:
    """Return the links among some atoms by their numbers."""
    number = {node.ref: at for at, node in enumerate(nodes)}
    return [
        (number[link.source], number[link.target])
        for link in links
        if link.source in number and link.target in number
    ]
