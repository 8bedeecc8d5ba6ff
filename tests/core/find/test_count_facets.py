"""Facets: what is chosen of each, and what another choice would give."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.find.count_facets import (
    choose_one,
    count_chosen,
    count_facets,
    has_chosen,
)


class Cell(NamedTuple):
    kind: str
    status: str


things = st.lists(st.builds(Cell, st.sampled_from("abc"), st.sampled_from("xy")))
choices = st.fixed_dictionaries(
    {"kind": st.frozensets(st.sampled_from("abcd")), "status": st.frozensets(st.sampled_from("xy"))}
)


@given(things, choices)
def test_the_counts_of_a_facet_say_what_another_choice_would_give(
    found: list[Cell], chosen: dict[str, frozenset[str]]
) -> None:
    counts = count_facets(Counter(found), chosen)
    for facet in chosen:
        for value in "abcxy":
            other = {**chosen, facet: {value}}
            wanted = [
                each
                for each in found
                if all(not of or each._asdict()[name] in of for name, of in other.items())
            ]
            assert dict(counts[facet]).get(value, 0) == len(wanted)
            assert count_chosen(Counter(found), other) == len(wanted)


def test_the_most_frequent_value_comes_first_and_equal_ones_by_name() -> None:
    cells = {Cell("b", "x"): 2, Cell("a", "x"): 2, Cell("c", "x"): 1, Cell("c", "y"): 4}
    assert count_facets(cells, {"kind": ()}) == {"kind": [("c", 5), ("a", 2), ("b", 2)]}


def test_an_empty_value_of_a_request_chooses_any() -> None:
    chosen = choose_one(Cell("a", ""), ("kind", "status"))
    assert chosen == {"kind": ("a",), "status": ()}
    assert has_chosen(Cell("a", "y"), chosen)
    assert not has_chosen(Cell("b", "y"), chosen)
    assert has_chosen(Cell("b", "y"), chosen, without="kind")
