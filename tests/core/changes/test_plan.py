"""What a write takes away that nobody else has."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.changes.plan import Write

texts = st.lists(st.sampled_from(["a", "b", "c", "", "  "])).map("\n".join)


@given(before=texts, after=texts, known=texts)
def test_what_loses_nothing_has_every_line_after_it_or_elsewhere(
    before: str, after: str, known: str
) -> None:
    if not Write("x.md", after, before).loses_lines(known):
        had = {*after.splitlines(), *known.splitlines()}
        assert all(line in had for line in before.splitlines() if line.strip())


@given(before=texts, other=texts)
def test_nothing_is_lost_of_what_stays_or_is_known(before: str, other: str) -> None:
    assert not Write("x.md", before, before).loses_lines(other)
    assert not Write("x.md", other, before).loses_lines(before)


def test_lines_that_a_person_has_moved_are_lost_where_they_stand_now() -> None:
    before, known = "b\na\n", "a\nb\n"
    assert Write("x.md", "other\n", before).loses_lines(known)
    assert not Write("x.md", "b\nother\na\n", before).loses_lines(known)
