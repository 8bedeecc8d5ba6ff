"""Lay out a graph on a plane: communities as islands, those that are linked close to each other.

Each community is laid out by itself (Fruchterman and Reingold, as igraph computes it), and drawn as
a disk whose area grows with its size. The disks of a connected part are laid out like one graph
(Kamada and Kawai) and moved apart; connected parts are placed in rows, the largest first. This
shows communities far better than a layout of all nodes at once, in a fraction of the time.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from itertools import combinations
from math import cos, pi, sin, sqrt
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import Refused, format_extra_hint

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from random import Random

    from igraph import GraphBase

    Place = tuple[float, float]
    """A point of the plane; a node that is alone takes an area of about 1."""
    Members = Sequence[int]
    """The numbers of some nodes."""

SPACING = 0.62
"""The radius of a disk for one node; that of others grows with the root of their number."""
MARGIN = 1.2
"""How far apart the centres of two disks are, in the sum of their radii."""
STEPS = 120
"""Number of steps of the layout of a community."""
MAX_EXACT_NODES = 60
"""Up to this number of nodes the slower layout by all distances is used: it has fewer crossings."""
MAX_SEPARATIONS = 200
"""Maximum number of rounds in which disks that overlap are moved apart."""
_GOLDEN_ANGLE = pi * (3 - sqrt(5))
_RANDOM_LOCK = Lock()
"""igraph has one source of random numbers for all threads."""


class GraphLayout(NamedTuple):
    """Where the nodes of a graph are drawn, and the community of each; 0 is the largest."""

    places: list[Place]
    communities: list[int]


def lay_out_graph(node_count: int, links: Collection[tuple[int, int]], rng: Random) -> GraphLayout:
    """Return the layout of a graph whose nodes are numbered from 0.

    It is the same for the same graph and the same numbers of `rng`. Raises `Refused` without the
    extra `server`.
    """
    graph = _make_graph(node_count, links)
    with _use_random(rng):
        communities = number_by_size(_find_communities(graph))
        drawn = [_lay_out_part(graph, part, communities) for part in _list_parts(graph)]
    return GraphLayout(_place_in_rows(drawn, node_count), communities)


def lay_out_small_graph(
    node_count: int, links: Collection[tuple[int, int]], rng: Random
) -> GraphLayout:
    """Return the layout of a graph of few nodes, which are one community: by all distances.

    Raises as `lay_out_graph`.
    """
    graph = _make_graph(node_count, links)
    communities = [0] * node_count
    with _use_random(rng):
        drawn = [_lay_out_part(graph, part, communities) for part in _list_parts(graph)]
    return GraphLayout(_place_in_rows(drawn, node_count), communities)


@contextmanager
def _use_random(rng: Random) -> Iterator[None]:
    """Let igraph use these random numbers in the block."""
    from igraph import set_random_number_generator  # noqa: PLC0415 - 50 ms, for a picture

    with _RANDOM_LOCK:
        set_random_number_generator(rng)
        yield


def _make_graph(node_count: int, links: Collection[tuple[int, int]]) -> GraphBase:
    """Return a graph of the class in C: `Graph` imports numpy, 12 MB, to see what it was given."""
    try:
        from igraph import GraphBase  # noqa: PLC0415 - 50 ms, for a picture
    except ModuleNotFoundError:
        raise Refused("igraph is not installed", hint=format_extra_hint("server")) from None
    return GraphBase(node_count, list(links)).simplify()


def _find_communities(graph: GraphBase) -> list[int]:
    """Return the community of each node, by modularity."""
    found, _ = graph.community_leiden(resolution=1.0, normalize_resolution=True, n_iterations=3)
    return list(found)


def _list_parts(graph: GraphBase) -> list[list[int]]:
    """Return the nodes of each connected part, the largest part first."""
    parts: dict[int, list[int]] = {}
    for node, part in enumerate(graph.connected_components()):
        parts.setdefault(part, []).append(node)
    return sorted(parts.values(), key=lambda part: (-len(part), part[0]))


def number_by_size(communities: Sequence[int]) -> list[int]:
    """Return the communities, numbered anew: the largest is 0."""
    order = {old: new for new, (old, _) in enumerate(Counter(communities).most_common())}
    return [order[each] for each in communities]


def _lay_out_part(graph: GraphBase, part: Members, communities: Sequence[int]) -> dict[int, Place]:
    """Return the places of the nodes of a connected part."""
    islands: dict[int, list[int]] = {}
    for node in part:
        islands.setdefault(communities[node], []).append(node)
    members = list(islands.values())
    centres = _place_islands(graph, members)
    return {
        node: (x + dx, y + dy)
        for nodes, (x, y) in zip(members, centres, strict=True)
        for node, (dx, dy) in zip(nodes, _lay_out_island(graph, nodes), strict=True)
    }


def _lay_out_island(graph: GraphBase, nodes: Members) -> list[Place]:
    """Return the places of the nodes of a community around the origin, within its disk."""
    if len(nodes) == 1:
        return [(0.0, 0.0)]
    inner = graph.induced_subgraph(nodes)
    spiral = [_place_on_spiral(number) for number in range(len(nodes))]
    if len(nodes) <= MAX_EXACT_NODES:
        places = inner.layout_kamada_kawai(seed=spiral)
    else:
        places = inner.layout_fruchterman_reingold(niter=STEPS, seed=spiral, grid="grid")
    return _fit_into_disk([(x, y) for x, y in places], _radius(nodes))


def _place_on_spiral(number: int) -> Place:
    """Return the place of a node before the layout: all are spread evenly, none on another."""
    distance, angle = SPACING * sqrt(number + 0.5), number * _GOLDEN_ANGLE
    return distance * cos(angle), distance * sin(angle)


def _radius(nodes: Members) -> float:
    return SPACING * sqrt(len(nodes))


def _fit_into_disk(places: Sequence[Place], radius: float) -> list[Place]:
    """Return the places around the origin, as far from it on average as if they filled the disk.

    So a few nodes far outside do not crowd the others; they end at most half a radius outside.
    """
    middle_x, middle_y = (sum(each) / len(places) for each in zip(*places, strict=True))
    moved = [complex(x - middle_x, y - middle_y) for x, y in places]
    scale = radius * 2 / 3 / max(sum(map(abs, moved)) / len(moved), 1e-9)
    most = [1.5 * radius / max(abs(place), 1e-9) for place in moved]
    scaled = [place * min(scale, each) for place, each in zip(moved, most, strict=True)]
    return [(place.real, place.imag) for place in scaled]


def _place_islands(graph: GraphBase, islands: Sequence[Members]) -> list[Place]:
    """Return the centres of the communities of a connected part; no disks overlap."""
    if len(islands) == 1:
        return [(0.0, 0.0)]
    whole = graph.induced_subgraph([node for nodes in islands for node in nodes])
    owners = [at for at, nodes in enumerate(islands) for _ in nodes]
    whole.contract_vertices(owners)
    whole.simplify()
    radii = [_radius(nodes) for nodes in islands]
    spiral = [_place_on_spiral(at) for at in range(len(islands))]
    centres = [(x, y) for x, y in whole.layout_kamada_kawai(seed=spiral)]
    reach = sqrt(sum(radius**2 for radius in radii))
    return _move_apart(_fit_into_disk(centres, reach), radii)


def _move_apart(centres: Sequence[Place], radii: Sequence[float]) -> list[Place]:
    """Return centres moved so far from each other that their disks do not overlap."""
    places = [complex(*each) for each in centres]
    pairs = [
        (one, other, MARGIN * (radii[one] + radii[other]))
        for one, other in combinations(range(len(places)), 2)
    ]
    for _ in range(MAX_SEPARATIONS):
        close = [each for each in pairs if abs(places[each[0]] - places[each[1]]) < each[2] - 1e-6]
        if not close:
            break
        for one, other, wanted in close:
            apart = places[one] - places[other] or complex(*_place_on_spiral(one))
            push = apart / abs(apart) * max(wanted - abs(apart), 0.0) / 2
            places[one] += push
            places[other] -= push
    return [(place.real, place.imag) for place in places]


class _Box(NamedTuple):
    """A connected part, and the least rectangle around it."""

    part: Mapping[int, Place]
    left: float
    top: float
    width: float
    height: float

    @classmethod
    def around(cls, part: Mapping[int, Place]) -> _Box:
        """Return a part with a margin for one node around it."""
        xs, ys = zip(*part.values(), strict=True)
        left, top = min(xs) - SPACING, min(ys) - SPACING
        return cls(part, left, top, max(xs) + SPACING - left, max(ys) + SPACING - top)


def _place_in_rows(parts: Iterable[Mapping[int, Place]], node_count: int) -> list[Place]:
    """Return the places of all nodes: connected parts in rows, about as wide as high."""
    boxes = [_Box.around(part) for part in parts]
    area = sum(box.width * box.height for box in boxes)
    widest = max([sqrt(area), *(box.width for box in boxes)])
    places: list[Place] = [(0.0, 0.0)] * node_count
    x = y = row_height = 0.0
    for box in boxes:
        if x and x + box.width > widest:
            x, y, row_height = 0.0, y + row_height, 0.0
        for node, (own_x, own_y) in box.part.items():
            places[node] = (x + own_x - box.left, y + own_y - box.top)
        x, row_height = x + box.width, max(row_height, box.height)
    return places
