"""From tie to tie: what is around an atom, and the shortest way from one to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.graph.resolve_links import AtomLink, Tying


class AtomGraph(NamedTuple):
    """What is around an atom.

    `above` gives each atom that was found, in order, with the one from which it was reached
    (the first with itself); `left_out` counts those next to them for which there was no room.
    """

    start: Ref
    reached_from: Mapping[Ref, Ref]
    links: Sequence[AtomLink]
    omitted_count: int = 0

    @property
    def children(self) -> dict[Ref, list[Ref]]:
        """Give what was reached from each atom."""
        found: dict[Ref, list[Ref]] = {ref: [] for ref in self.reached_from}
        for ref, above in self.reached_from.items():
            if ref != above:
                found[above].append(ref)
        return found

    @property
    def distances(self) -> dict[Ref, int]:
        """Tell how many ties each atom is away."""
        far: dict[Ref, int] = {}
        for ref, above in self.reached_from.items():
            far[ref] = far[above] + 1 if ref != above else 0
        return far


def collect_neighbourhood(start: Ref, find_links: Tying, depth: int, limit: int) -> AtomGraph:
    """Walk from an atom over ties in either direction, `depth` steps far, to `most` atoms."""
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
    """Give the atoms on a shortest way over ties in either direction; empty where there is none.

    It is sought from both ends, whole step by whole step, where fewer atoms wait: the first
    atom that both have reached lies on a shortest way.
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
    """Give what is one step further than an edge, with the first atom that leads there."""
    near: dict[Ref, Ref] = {}
    order = {ref: place for place, ref in enumerate(edge)}
    for tie in ties:
        for ref, other in ((tie.source, tie.target), (tie.target, tie.source)):
            if ref in order and other not in known:
                near[other] = min(ref, near.get(other, ref), key=order.__getitem__)
    return near


def _back(ref: Ref, above: Mapping[Ref, Ref]) -> list[Ref]:
    """Give the way back to where a walk began."""
    way = [ref]
    while above[ref] != ref:
        ref = above[ref]
        way.append(ref)
    return way
