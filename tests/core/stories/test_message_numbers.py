"""The numbers of messages in the fields of a chunk."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.stories.message_numbers import format_numbers, parse_numbers

FAR = 999_999_999


@given(st.lists(st.integers(0, 30) | st.integers(0, FAR), max_size=30))
def test_numbers_are_read_back_in_their_order(numbers: list[int]) -> None:
    written = format_numbers(numbers)
    assert parse_numbers(written) == tuple(numbers)
    assert parse_numbers(f"[{', '.join(written)}]") in {tuple(numbers), ()}


def test_runs_are_written_as_ranges() -> None:
    assert format_numbers((1, 2, 4, 9, 3)) == ("1-2", "4-4", "9-9", "3-3")
    assert format_numbers(()) == ()


@given(st.text() | st.lists(st.text()).map(tuple))
def test_what_is_no_field_of_ours_has_no_numbers(value: str | tuple[str, ...]) -> None:
    assert isinstance(parse_numbers(value), tuple)


def test_a_huge_range_has_no_numbers() -> None:
    assert parse_numbers((f"1-{FAR}",)) == ()
    assert parse_numbers(("1-6000", "1-6000")) == ()
    assert parse_numbers(("8-1",)) == ()
    assert parse_numbers(("1-2", "x")) == ()
    assert len(parse_numbers(("1-9000",))) == 9000
