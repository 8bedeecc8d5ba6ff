"""Walk over links: the neighbourhood of an atom, and the shortest path between two atoms."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.graph.resolve_links import AtomLink, FindLinks


class AtomGraph(NamedTuple):
    """The neighbourhood of an atom.

    `reached_from` maps each atom, in the order found, to the atom from which it was reached, and
    the start to itself. `omitted_count` counts the adjacent atoms beyond the limit.
    """

    start: Ref
    reached_from: Mapping[Ref, Ref]
    links: Sequence[AtomLink]
    omitted_count: int = 0

    @property
    def children(self) -> dict[Ref, list[Ref]]:
        """The atoms that were reached from each atom."""
        children: dict[Ref, list[Ref]] = {ref: [] for ref in self.reached_from}
        for ref, parent in self.reached_from.items():
            if ref != parent:
                children[parent].append(ref)
        return children

    @property
    def distances(self) -> dict[Ref, int]:
        """The distance of each atom from the start, in links."""
        distances: dict[Ref, int] = {}
        for ref, parent in self.reached_from.items():
            distances[ref] = distances[parent] + 1 if ref != parent else 0
        return distances


def collect_neighbourhood(start: Ref, find_links: FindLinks, depth: int, limit: int) -> AtomGraph:
    """Walk over links in both directions, at most `depth` steps and `limit` atoms."""
    reached_from = {start: start}
    seen: dict[tuple[Ref, Ref], AtomLink] = {}
    adjacent: set[Ref] = set()
    frontier = [start]
    for _ in range(depth):
        if not frontier:
            break
        found = find_links(frontier)
        seen |= {(link.source, link.target): link for link in found}
        nearest = _expand_frontier(frontier, found, reached_from)
        frontier = sorted(nearest)[: max(0, limit - len(reached_from))]
        reached_from |= {ref: nearest[ref] for ref in frontier}
        adjacent |= nearest.keys()
    links = [
        link
        for _, link in sorted(seen.items())
        if {link.source, link.target} <= reached_from.keys()
    ]
    return AtomGraph(start, reached_from, links, len(adjacent - reached_from.keys()))


def find_shortest_path(start: Ref, end: Ref, find_links: FindLinks) -> list[Ref]:
    """Return the atoms on a shortest path over links in both directions; empty if there is none.

    The search runs from both ends, one whole step at a time, on the side with the smaller frontier.
    The first atom that both sides reach is on a shortest path.
    """
    reached: tuple[dict[Ref, Ref], dict[Ref, Ref]] = ({start: start}, {end: end})
    frontiers = ([start], [end])
    while not (common := reached[0].keys() & reached[1].keys()):
        side = int(len(frontiers[1]) < len(frontiers[0]))
        if not frontiers[side]:
            return []
        nearest = _expand_frontier(frontiers[side], find_links(frontiers[side]), reached[side])
        reached[side].update(nearest)
        frontiers[side][:] = sorted(nearest)
    middle = min(common)
    return [*reversed(_trace_back(middle, reached[0])), *_trace_back(middle, reached[1])[1:]]


def _expand_frontier(
    frontier: Sequence[Ref], links: Sequence[AtomLink], known: Mapping[Ref, Ref]
) -> dict[Ref, Ref]:
    """Return the atoms one step beyond the frontier, each with the first atom that leads to it."""
    nearest: dict[Ref, Ref] = {}
    order = {ref: position for position, ref in enumerate(frontier)}
    for link in links:
        for ref, other in ((link.source, link.target), (link.target, link.source)):
            if ref in order and other not in known:
                nearest[other] = min(ref, nearest.get(other, ref), key=order.__getitem__)
    return nearest


def _trace_back(ref: Ref, reached_from: Mapping[Ref, Ref]) -> list[Ref]:
    """Return the path back to the start of a walk."""
    path = [ref]
    while reached_from[ref] != ref:
        ref = reached_from[ref]
        path.append(ref)
    return path
