"""A picture stays as it was when atoms are added: they come beside what they link to."""

from __future__ import annotations

from math import dist

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.graph.extend_layout import DrawnNode, extend_layout
from cortexfs.core.graph.layout_text import StoredLayout, format_layout, parse_layout
from cortexfs.operations.map_links import lay_out

KNOWN = {
    "a": DrawnNode((10.0, 0.0), 0),
    "b": DrawnNode((11.0, 0.0), 0),
    "c": DrawnNode((50.0, 50.0), 1),
    "gone": DrawnNode((0.0, 0.0), 2),
}
numbers = st.integers(0, 11)
graphs = st.lists(st.tuples(numbers, numbers), max_size=30)


def test_new_nodes_come_beside_what_they_link_to_and_join_its_group() -> None:
    names = ["a", "b", "c", "beside c", "beside that", "alone", "alone too"]
    links = [(0, 1), (1, 2), (3, 2), (4, 3)]
    layout = extend_layout(names, links, KNOWN)
    assert layout.places[:3] == [KNOWN[name].place for name in "abc"]
    assert dist(layout.places[3], layout.places[2]) < 1
    assert dist(layout.places[4], layout.places[3]) < 1
    groups = layout.communities
    assert groups[2] == groups[3] == groups[4]
    assert len({groups[0], groups[2], groups[5], groups[6]}) == 4
    assert all(y > 50 for _, y in layout.places[5:])
    assert dist(*layout.places[5:]) > 1


@given(graphs, st.sets(numbers))
def test_what_is_known_stays_and_everything_has_a_place(
    links: list[tuple[int, int]], known: set[int]
) -> None:
    whole = lay_out(12, tuple(links))
    names = [f"p/EXP-{number}" for number in range(12)]
    drawn = {names[at]: DrawnNode(whole.places[at], whole.communities[at]) for at in sorted(known)}
    layout = extend_layout(names, links, drawn)
    assert [layout.places[at] for at in known] == [whole.places[at] for at in known]
    sizes = [layout.communities.count(each) for each in range(max(layout.communities) + 1)]
    assert sizes == sorted(sizes, reverse=True)
    assert layout == extend_layout(names, links, drawn)
    for one in known:
        for other in known:
            together = layout.communities[one] == layout.communities[other]
            assert together == (whole.communities[one] == whole.communities[other])


@given(graphs)
def test_a_stored_layout_is_read_as_it_was(links: list[tuple[int, int]]) -> None:
    layout = lay_out(12, tuple(links))
    names = [f"p/EXP-{number}" for number in range(12)]
    stored = parse_layout(format_layout(names, layout, 12, len(links)))
    assert (stored.node_count, stored.link_count) == (12, len(links))
    for name, place, community in zip(names, *layout, strict=True):
        assert dist(stored.nodes[name].place, place) < 1e-3
        assert stored.nodes[name].community == community


@given(st.text() | st.builds(lambda head: head + '[1, 2, ["a"], "AAAA", "AAAA"]', st.text()))
def test_any_other_text_is_no_layout(text: str) -> None:
    assert parse_layout(text) == StoredLayout({})


def test_a_place_that_is_no_number_is_no_layout() -> None:
    text = format_layout(["a"], lay_out(1, ())._replace(places=[(float("nan"), 0.0)]), 1, 0)
    assert parse_layout(text) == StoredLayout({})
