"""Lines that a write would lose."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.changes.plan import Write

texts = st.lists(st.sampled_from(["a", "b", "c", "", "  "])).map("\n".join)


@given(before=texts, after=texts, known=texts)
def test_a_write_that_loses_no_lines_keeps_each_here_or_elsewhere(
    before: str, after: str, known: str
) -> None:
    if not Write("x.md", after, before).loses_lines(known):
        present = {*after.splitlines(), *known.splitlines()}
        assert all(line in present for line in before.splitlines() if line.strip())


@given(before=texts, other=texts)
def test_a_write_of_the_same_or_a_known_text_loses_no_lines(before: str, other: str) -> None:
    assert not Write("x.md", before, before).loses_lines(other)
    assert not Write("x.md", other, before).loses_lines(before)


def test_lines_in_a_new_order_count_as_lost() -> None:
    before, known = "b\na\n", "a\nb\n"
    assert Write("x.md", "other\n", before).loses_lines(known)
    assert not Write("x.md", "b\nother\na\n", before).loses_lines(known)
