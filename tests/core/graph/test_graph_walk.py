"""Around an atom, and from one to another: held against distances worked out naively."""

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
PLENTY = 99
Pairs = frozenset[tuple[Ref, Ref]]

refs = st.sampled_from(REFS)
pairs = st.frozensets(st.tuples(refs, refs).filter(lambda pair: pair[0] != pair[1]), max_size=16)


def tying(among: Pairs) -> Callable[[Collection[Ref]], list[AtomLink]]:
    def of(ends: Collection[Ref]) -> list[AtomLink]:
        asked = set(ends)
        return [AtomLink(*pair, ("links",), 1) for pair in sorted(among) if asked & set(pair)]

    return of


def distances(among: Pairs, start: Ref) -> dict[Ref, int]:
    """Shorten every known distance until none can be."""
    far = {start: 0}
    while True:
        longer = {
            there: far[here] + 1
            for one, other in among
            for here, there in ((one, other), (other, one))
            if here in far and far[here] + 1 < far.get(there, PLENTY)
        }
        if not longer:
            return far
        far |= longer


@given(pairs, refs, refs)
def test_the_path_found_is_a_shortest_path(among: Pairs, start: Ref, end: Ref) -> None:
    way = find_shortest_path(start, end, tying(among))
    far = distances(among, start)
    assert len(way) - 1 == far.get(end, -1)
    assert [*way[:1], *way[-1:]] == ([start, end] if end in far else [])
    assert all({step, step[::-1]} & among for step in pairwise(way))


@given(pairs, refs, st.integers(1, 5))
def test_a_neighbourhood_holds_the_atoms_within_its_depth(
    among: Pairs, start: Ref, depth: int
) -> None:
    found = collect_neighbourhood(start, tying(among), depth, PLENTY)
    far = {ref: steps for ref, steps in distances(among, start).items() if steps <= depth}
    assert found.distances == far
    assert found.omitted_count == 0
    near = {ref for ref, steps in far.items() if steps < depth}
    told = {(tie.source, tie.target) for tie in found.links}
    assert told == {pair for pair in among if near & set(pair)}


@given(pairs, refs, st.integers(1, 4), st.integers(1, 9))
def test_a_deeper_neighbourhood_begins_with_the_shallower_one(
    among: Pairs, start: Ref, depth: int, most: int
) -> None:
    shallow, deep = (
        collect_neighbourhood(start, tying(among), far, most) for far in (depth, depth + 1)
    )
    assert list(deep.reached_from.items())[: len(shallow.reached_from)] == list(
        shallow.reached_from.items()
    )
    assert set(shallow.links) <= set(deep.links)
    assert shallow.omitted_count <= deep.omitted_count


@given(pairs, refs, st.integers(1, 4), st.integers(1, 9))
def test_atoms_beyond_the_limit_are_counted(
    among: Pairs, start: Ref, depth: int, most: int
) -> None:
    found = collect_neighbourhood(start, tying(among), depth, most)
    within = {ref for ref, steps in distances(among, start).items() if steps <= depth}
    assert set(found.reached_from) <= within
    assert len(found.reached_from) <= most
    assert bool(found.omitted_count) == (set(found.reached_from) != within)
    assert all({tie.source, tie.target} <= found.reached_from.keys() for tie in found.links)


@given(pairs, refs)
def test_every_atom_is_the_child_of_one_that_it_is_linked_to(among: Pairs, start: Ref) -> None:
    found = collect_neighbourhood(start, tying(among), len(REFS), PLENTY)
    assert all(
        {(ref, above), (above, ref)} & among
        for ref, above in found.reached_from.items()
        if ref != start
    )
    assert {child for below in found.children.values() for child in below} == {
        *found.reached_from
    } - {start}


def test_a_walk_of_unlimited_depth_ends() -> None:
    found = collect_neighbourhood(REFS[0], tying(frozenset({(REFS[0], REFS[1])})), maxsize, PLENTY)
    assert found.distances == {REFS[0]: 0, REFS[1]: 1}
