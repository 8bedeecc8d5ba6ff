"""Rows are narrowed by what is wanted, and each facet says what another choice gives."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.find.row_facets import RowFacets


class Row(NamedTuple):
    kind: str
    marks: frozenset[str]


class Wanted(NamedTuple):
    kind: str
    mark: str


FACETS: RowFacets[Row] = RowFacets(
    ("kind", "mark"), lambda row, name: [row.kind] if name == "kind" else row.marks
)
ROWS = st.lists(
    st.builds(Row, st.sampled_from("abc"), st.frozensets(st.sampled_from("xyz"))), max_size=12
)
WANTED = st.builds(Wanted, st.sampled_from(["", "a", "b"]), st.sampled_from(["", "x", "y"]))


def matches(row: Row, kind: str, mark: str) -> bool:
    return kind in {"", row.kind} and (not mark or mark in row.marks)


@given(ROWS, WANTED)
def test_a_row_is_chosen_if_it_has_what_is_wanted_of_each_facet(
    rows: list[Row], wanted: Wanted
) -> None:
    assert FACETS.select_rows(rows, wanted) == [row for row in rows if matches(row, *wanted)]


@given(ROWS, WANTED)
def test_a_count_is_the_number_of_rows_that_the_choice_of_its_value_gives(
    rows: list[Row], wanted: Wanted
) -> None:
    counts = FACETS.count_values(rows, wanted)
    for value, count in counts["kind"]:
        assert count == sum(matches(row, value, wanted.mark) for row in rows)
    for value, count in counts["mark"]:
        assert count == sum(matches(row, wanted.kind, value) for row in rows)
    for found in counts.values():
        assert found == sorted(found, key=lambda each: (-each[1], each[0]))
