"""Extend a layout: what was drawn stays where it was, and what is new comes beside what it links.

So a picture does not change under the eyes of a person when an atom is added, and it is there at
once: only a layout of everything takes long.
"""

from __future__ import annotations

from collections import Counter
from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from cortexfs.core.graph.lay_out_graph import SPACING, GraphLayout, number_by_size

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from cortexfs.core.graph.lay_out_graph import Place


class DrawnNode(NamedTuple):
    """Where a node is drawn, and its community."""

    place: Place
    community: int


def extend_layout(
    names: Sequence[str], links: Iterable[tuple[int, int]], known: Mapping[str, DrawnNode]
) -> GraphLayout:
    """Return the layout of named nodes of which some are drawn already.

    A new node joins the community of most drawn ones that it links with, beside the middle of
    these. Those that link with none are alone, in rows below the picture.
    """
    drawn = {at: known[name] for at, name in enumerate(names) if name in known}
    missing = [at for at, name in enumerate(names) if name not in known]
    beside = _list_beside(links, set(missing))
    while placed := {
        at: _draw_beside(names[at], others)
        for at in missing
        if at not in drawn and (others := [drawn[each] for each in beside[at] if each in drawn])
    }:
        drawn.update(placed)
    drawn.update(_draw_alone([at for at in missing if at not in drawn], drawn.values()))
    nodes = [drawn[at] for at in range(len(names))]
    communities = number_by_size([node.community for node in nodes])
    return GraphLayout([node.place for node in nodes], communities)


def _list_beside(links: Iterable[tuple[int, int]], missing: set[int]) -> dict[int, list[int]]:
    """Return what each missing node links with."""
    beside: dict[int, list[int]] = {at: [] for at in missing}
    for source, target in links if missing else ():
        if source in missing:
            beside[source].append(target)
        if target in missing:
            beside[target].append(source)
    return beside


def _draw_beside(name: str, others: Sequence[DrawnNode]) -> DrawnNode:
    x, y = (sum(each) / len(others) for each in zip(*(o.place for o in others), strict=True))
    angle = 2 * pi * crc32(name.encode(errors="replace")) / 2**32
    ((community, _),) = Counter(each.community for each in others).most_common(1)
    return DrawnNode((x + SPACING * cos(angle), y + SPACING * sin(angle)), community)


def _draw_alone(alone: Sequence[int], drawn: Collection[DrawnNode]) -> dict[int, DrawnNode]:
    """Return nodes in rows below what is drawn, about as wide as that; each is a community."""
    if not alone:
        return {}
    free = 1 + max((node.community for node in drawn), default=-1)
    xs, ys = zip(*(node.place for node in drawn), strict=True) if drawn else ((0,), (0,))
    step = 2 * SPACING
    width = max(int((max(xs) - min(xs)) / step), round(sqrt(len(alone))))
    return {
        at: DrawnNode(
            (min(xs) + step * (number % width), max(ys) + step * (1 + number // width)),
            free + number,
        )
        for number, at in enumerate(alone)
    }
