"""A layout as a text, to be stored: the names of its nodes, and their places in as few bytes."""

from __future__ import annotations

import json
from array import array
from base64 import b64decode, b64encode
from itertools import chain
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.graph.extend_layout import DrawnNode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.graph.lay_out_graph import GraphLayout


class StoredLayout(NamedTuple):
    """The nodes that are drawn, by name, and how many nodes and links were laid out together."""

    nodes: Mapping[str, DrawnNode]
    node_count: int = 0
    link_count: int = 0


def format_layout(
    names: Sequence[str], layout: GraphLayout, node_count: int, link_count: int
) -> str:
    """Return a layout as `parse_layout` reads it."""
    places = array("f", chain.from_iterable(layout.places))
    communities = array("i", layout.communities)
    packed = (b64encode(each.tobytes()).decode() for each in (places, communities))
    return json.dumps([node_count, link_count, list(names), *packed])


def parse_layout(text: str) -> StoredLayout:
    """Return a stored layout; an empty one if it is unreadable."""
    places, communities = array("f"), array("i")
    try:
        node_count, link_count, names, packed_places, packed_communities = json.loads(text)
        places.frombytes(b64decode(packed_places, validate=True))
        communities.frombytes(b64decode(packed_communities, validate=True))
        xs, ys = places[::2], places[1::2]
        drawn = map(DrawnNode, zip(xs, ys, strict=True), communities)
        nodes = dict(zip(map(str, names), drawn, strict=True))
        if all(map(isfinite, places)):
            return StoredLayout(nodes, int(node_count), int(link_count))
    except (ValueError, TypeError):
        pass
    return StoredLayout({})
