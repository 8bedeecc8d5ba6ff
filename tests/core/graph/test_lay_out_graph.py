"""A layout shows what a graph has: linked atoms lie together, nothing lies on another."""

from __future__ import annotations

import re
from math import dist, isfinite
from random import Random
from statistics import mean
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.graph.render_graph_svg import render_graph_svg
from cortexfs.core.graph.resolve_links import LinkedAtom
from cortexfs.operations.map_links import lay_out

if TYPE_CHECKING:
    from collections.abc import Sequence

NODE_COUNT = 30
numbers = st.integers(0, NODE_COUNT - 1)
graphs = st.lists(st.tuples(numbers, numbers), max_size=60)
HOSTILE = st.text(st.sampled_from("<>&\"'\x1b\u202e]]>ab "), min_size=1, max_size=20)


def draw_groups(group_count: int, size: int) -> list[tuple[int, int]]:
    """Return the links of groups of nodes: many within each, one from each to the next."""
    rng = Random(1)  # noqa: S311
    links = [(group * size, (group - 1) * size) for group in range(1, group_count)]
    for group in range(group_count):
        members = range(group * size, (group + 1) * size)
        links += [tuple(rng.sample(members, 2)) for _ in range(4 * size)]  # type: ignore[misc]
    return links


@given(graphs)
def test_each_node_has_a_place_of_its_own(links: list[tuple[int, int]]) -> None:
    layout = lay_out(NODE_COUNT, tuple(links))
    assert len({(round(x, 6), round(y, 6)) for x, y in layout.places}) == NODE_COUNT
    assert all(isfinite(value) for place in layout.places for value in place)
    sizes = [layout.communities.count(each) for each in range(max(layout.communities) + 1)]
    assert sizes == sorted(sizes, reverse=True)
    lay_out.cache_clear()
    assert layout == lay_out(NODE_COUNT, tuple(links))


def test_linked_nodes_lie_together_and_groups_apart() -> None:
    links = draw_groups(8, 80)
    layout = lay_out(8 * 80, tuple(links))
    groups = [{*layout.communities[at * 80 : (at + 1) * 80]} for at in range(8)]
    assert all(len(group) == 1 for group in groups)
    assert len(set.union(*groups)) == 8
    linked = mean(dist(layout.places[a], layout.places[b]) for a, b in links)
    rng = Random(2)  # noqa: S311
    others = mean(dist(*rng.sample(layout.places, 2)) for _ in range(3000))
    assert linked < 0.35 * others


@given(st.lists(st.tuples(HOSTILE, HOSTILE), min_size=1, max_size=5))
def test_a_picture_is_valid_xml_and_shows_every_text_as_text(
    texts: Sequence[Sequence[str]],
) -> None:
    nodes = [LinkedAtom(Ref(name), "p", "k", "valid", summary) for name, summary in texts]
    links = [(0, len(nodes) - 1)] if len(nodes) > 1 else []
    picture = render_graph_svg(nodes, links, lay_out(len(nodes), tuple(links)))
    found = ET.fromstring(picture)  # noqa: S314 - our own
    names = [re.sub(r"{.*}", "", each.tag) for each in found.iter()]
    assert set(names) <= {"svg", "style", "path", "circle", "title", "text"}
    assert names.count("circle") == len(nodes)
    assert not re.search(r"[\x00-\x08\x1b\u202e]", picture)
