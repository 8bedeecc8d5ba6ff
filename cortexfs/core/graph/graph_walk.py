"""Walk over links: the neighbourhood of an atom, and the shortest path between two atoms."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.graph.resolve_links import AtomLink, Tying


class AtomGraph(NamedTuple):
    """The neighbourhood of an atom.

    `reached_from` maps each atom, in the order found, to the atom from which it was reached (the
    start to
    itself). `omitted_count` counts the adjacent atoms beyond the limit.
    """

    start: Ref
    reached_from: Mapping[Ref, Ref]
    links: Sequence[AtomLink]
    omitted_count: int = 0

    @property
    def children(self) -> dict[Ref, list[Ref]]:
        """The atoms that were reached from each atom."""
        found: dict[Ref, list[Ref]] = {ref: [] for ref in self.reached_from}
        for ref, above in self.reached_from.items():
            if ref != above:
                found[above].append(ref)
        return found

    @property
    def distances(self) -> dict[Ref, int]:
        """The distance of each atom from the start, in links."""
        far: dict[Ref, int] = {}
        for ref, above in self.reached_from.items():
            far[ref] = far[above] + 1 if ref != above else 0
        return far


def collect_neighbourhood(start: Ref, find_links: Tying, depth: int, limit: int) -> AtomGraph:
    """Walk over links in both directions, at most `depth` steps and `limit` atoms."""
    above = {start: start}
    seen: dict[tuple[Ref, Ref], AtomLink] = {}
    beyond: set[Ref] = set()
    edge = [start]
    for _ in range(depth):
        if not edge:
            break
        found = find_links(edge)
        seen |= {(tie.source, tie.target): tie for tie in found}
        near = _next(edge, found, above)
        edge = sorted(near)[: max(0, limit - len(above))]
        above |= {ref: near[ref] for ref in edge}
        beyond |= near.keys()
    ties = [tie for _, tie in sorted(seen.items()) if {tie.source, tie.target} <= above.keys()]
    return AtomGraph(start, above, ties, len(beyond - above.keys()))


def find_shortest_path(start: Ref, end: Ref, find_links: Tying) -> list[Ref]:
    """Return the atoms on a shortest path over links in both directions; empty if there is none.

    The search runs from both ends, one whole step at a time, on the side with the smaller frontier.
    The first atom that both sides reach is on a shortest path.
    """
    reached: tuple[dict[Ref, Ref], dict[Ref, Ref]] = ({start: start}, {end: end})
    edges = ([start], [end])
    while not (met := reached[0].keys() & reached[1].keys()):
        side = int(len(edges[1]) < len(edges[0]))
        if not edges[side]:
            return []
        near = _next(edges[side], find_links(edges[side]), reached[side])
        reached[side].update(near)
        edges[side][:] = sorted(near)
    middle = min(met)
    return [*reversed(_back(middle, reached[0])), *_back(middle, reached[1])[1:]]


def _next(
    edge: Sequence[Ref], ties: Sequence[AtomLink], known: Mapping[Ref, Ref]
) -> dict[Ref, Ref]:
    """Return the atoms one step beyond the frontier, each with the first atom that leads to it."""
    near: dict[Ref, Ref] = {}
    order = {ref: place for place, ref in enumerate(edge)}
    for tie in ties:
        for ref, other in ((tie.source, tie.target), (tie.target, tie.source)):
            if ref in order and other not in known:
                near[other] = min(ref, near.get(other, ref), key=order.__getitem__)
    return near


def _back(ref: Ref, above: Mapping[Ref, Ref]) -> list[Ref]:
    """Return the path back to the start of a walk."""
    way = [ref]
    while above[ref] != ref:
        ref = above[ref]
        way.append(ref)
    return way
