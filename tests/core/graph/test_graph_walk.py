"""Around an atom, and from one to another: compared with naively computed distances."""

from __future__ import annotations

from itertools import pairwise
from sys import maxsize
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.graph.graph_walk import collect_neighbourhood, find_shortest_path
from cortexfs.core.graph.resolve_links import AtomLink

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

REFS = [Ref(f"p/K-{number:03d}") for number in range(1, 10)]
UNLIMITED = 99
Pairs = frozenset[tuple[Ref, Ref]]

refs = st.sampled_from(REFS)
pairs = st.frozensets(st.tuples(refs, refs).filter(lambda pair: pair[0] != pair[1]), max_size=16)


def links_among(linked_pairs: Pairs) -> Callable[[Collection[Ref]], list[AtomLink]]:
    def of(ends: Collection[Ref]) -> list[AtomLink]:
        asked = set(ends)
        return [
            AtomLink(*pair, ("links",), 1) for pair in sorted(linked_pairs) if asked & set(pair)
        ]

    return of


def distances(linked_pairs: Pairs, start: Ref) -> dict[Ref, int]:
    """Shorten every known distance until none can be."""
    distance_of = {start: 0}
    while True:
        longer = {
            there: distance_of[here] + 1
            for one, other in linked_pairs
            for here, there in ((one, other), (other, one))
            if here in distance_of and distance_of[here] + 1 < distance_of.get(there, UNLIMITED)
        }
        if not longer:
            return distance_of
        distance_of |= longer


@given(pairs, refs, refs)
def test_the_path_found_is_a_shortest_path(linked_pairs: Pairs, start: Ref, end: Ref) -> None:
    path = find_shortest_path(start, end, links_among(linked_pairs))
    distance_of = distances(linked_pairs, start)
    assert len(path) - 1 == distance_of.get(end, -1)
    assert [*path[:1], *path[-1:]] == ([start, end] if end in distance_of else [])
    assert all({step, step[::-1]} & linked_pairs for step in pairwise(path))


@given(pairs, refs, st.integers(1, 5))
def test_a_neighbourhood_holds_the_atoms_within_its_depth(
    linked_pairs: Pairs, start: Ref, depth: int
) -> None:
    found = collect_neighbourhood(start, links_among(linked_pairs), depth, UNLIMITED)
    distance_of = {
        ref: steps for ref, steps in distances(linked_pairs, start).items() if steps <= depth
    }
    assert found.distances == distance_of
    assert found.omitted_count == 0
    near = {ref for ref, steps in distance_of.items() if steps < depth}
    links = {(tie.source, tie.target) for tie in found.links}
    assert links == {pair for pair in linked_pairs if near & set(pair)}


@given(pairs, refs, st.integers(1, 4), st.integers(1, 9))
def test_a_deeper_neighbourhood_begins_with_the_shallower_one(
    linked_pairs: Pairs, start: Ref, depth: int, most: int
) -> None:
    shallow, deep = (
        collect_neighbourhood(start, links_among(linked_pairs), distance_of, most)
        for distance_of in (depth, depth + 1)
    )
    assert list(deep.reached_from.items())[: len(shallow.reached_from)] == list(
        shallow.reached_from.items()
    )
    assert set(shallow.links) <= set(deep.links)
    assert shallow.omitted_count <= deep.omitted_count


@given(pairs, refs, st.integers(1, 4), st.integers(1, 9))
def test_atoms_beyond_the_limit_are_counted(
    linked_pairs: Pairs, start: Ref, depth: int, most: int
) -> None:
    found = collect_neighbourhood(start, links_among(linked_pairs), depth, most)
    within = {ref for ref, steps in distances(linked_pairs, start).items() if steps <= depth}
    assert set(found.reached_from) <= within
    assert len(found.reached_from) <= most
    assert bool(found.omitted_count) == (set(found.reached_from) != within)
    assert all({tie.source, tie.target} <= found.reached_from.keys() for tie in found.links)


@given(pairs, refs)
def test_every_atom_is_the_child_of_one_that_it_is_linked_to(
    linked_pairs: Pairs, start: Ref
) -> None:
    found = collect_neighbourhood(start, links_among(linked_pairs), len(REFS), UNLIMITED)
    assert all(
        {(ref, above), (above, ref)} & linked_pairs
        for ref, above in found.reached_from.items()
        if ref != start
    )
    assert {child for below in found.children.values() for child in below} == {
        *found.reached_from
    } - {start}


def test_a_walk_of_unlimited_depth_ends() -> None:
    found = collect_neighbourhood(
        REFS[0], links_among(frozenset({(REFS[0], REFS[1])})), maxsize, UNLIMITED
    )
    assert found.distances == {REFS[0]: 0, REFS[1]: 1}
