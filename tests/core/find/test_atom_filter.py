"""The value of a filter is read one way everywhere: lists, days, and what was meant by a name."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.access.access_log import ReadStats
from cortexfs.core.atoms.atom import Atom, Ref
from cortexfs.core.find.atom_filter import (
    AtomFilter,
    parse_since,
    parse_until,
    split_values,
)
from cortexfs.core.indexes.atom_with_reads import AtomWithReads
from cortexfs.core.text.nearest_names import nearest_names

TODAY = date(2026, 5, 6)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026", date(2026, 1, 1), date(2026, 12, 31)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2026-03-09", date(2026, 3, 9), date(2026, 3, 9)),
        ("7d", date(2026, 4, 29), date(2026, 4, 29)),
        ("2w", date(2026, 4, 22), date(2026, 4, 22)),
        ("6m", date(2025, 11, 7), date(2025, 11, 7)),
        ("1y", date(2025, 5, 6), date(2025, 5, 6)),
        ("9999y", date(1, 1, 1), date(1, 1, 1)),
    ],
)
def test_since_means_the_first_day_and_until_the_last(text: str, first: date, last: date) -> None:
    assert parse_since(text, TODAY) == first.toordinal()
    assert parse_until(text, TODAY) == last.toordinal()


@pytest.mark.parametrize(
    "text",
    ["", "soon", "2026-13", "2026-02-30", "d", "20260309", "-1d", "٣d", "2026-", "0000", "2026-1"],
)
def test_text_that_is_not_a_date_gives_no_day(text: str) -> None:
    assert parse_since(text, TODAY) == parse_until(text, TODAY) == 0


@given(st.text(max_size=30))
def test_any_text_can_be_parsed_as_a_date(text: str) -> None:
    assert parse_since(text, TODAY) <= parse_until(text, TODAY)


def test_filter_values_may_be_repeated_and_comma_separated() -> None:
    assert split_values(["a,b", " c ", "b", ",", ""]) == ("a", "b", "c")
    assert split_values(None) == ()


@pytest.mark.parametrize(
    ("typed", "nearest"),
    [("challanged", ["challenged"]), ("VALID", ["valid"]), ("zzz", []), ("", []), ("v" * 99, [])],
)
def test_only_a_close_name_is_suggested(typed: str, nearest: list[str]) -> None:
    assert nearest_names(typed, ["valid", "challenged", "active"]) == nearest


def _entry(**fields: str | tuple[str, ...]) -> AtomWithReads:
    return AtomWithReads.from_atom(
        Atom("p/K-001.md", "knowledge", Ref("p/K-001"), "p", fields), ReadStats(0, "")
    )


DAY = date(2026, 3, 9).toordinal()


@pytest.mark.parametrize(
    ("filter_", "expected"),
    [
        (AtomFilter(), True),
        (AtomFilter(kinds=("idea", "knowledge")), True),
        (AtomFilter(kinds=("idea",)), False),
        (AtomFilter(projects=("q",)), False),
        (AtomFilter(statuses=("valid", "superseded")), True),
        (AtomFilter(statuses=("valid",)), False),
        (AtomFilter(tags=("codec", "ecole")), True),
        (AtomFilter(tags=("codec", "x")), False),
        (AtomFilter(since=DAY, until=DAY), True),
        (AtomFilter(since=DAY + 1), False),
        (AtomFilter(until=DAY - 1), False),
        (AtomFilter(excluded=(AtomFilter(tags=("codec",)),)), False),
        (AtomFilter(tags=("codec",), excluded=(AtomFilter(kinds=("idea",)),)), True),
    ],
)
def test_an_atom_must_match_one_value_of_each_filter_and_all_tags(
    filter_: AtomFilter, expected: bool
) -> None:
    fields = {"date": "2026-03-09", "status": "superseded:K-002", "tags": ("Codec", "École")}
    assert filter_.matches(_entry(**fields)) == expected


def test_an_atom_without_a_date_matches_no_date_filter() -> None:
    assert not AtomFilter(since=DAY).matches(_entry())
    assert not AtomFilter(until=DAY).matches(_entry())


def test_combined_filters_require_both() -> None:
    combined = AtomFilter(since=5, until=9, tags=("a",)).combine(AtomFilter(since=7, tags=("b",)))
    assert combined == AtomFilter(since=7, until=9, tags=("a", "b"))
    assert AtomFilter().combine(AtomFilter(until=3)).until == 3
