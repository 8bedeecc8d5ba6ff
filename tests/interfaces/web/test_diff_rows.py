"""The rows of a diff: signs, line numbers, and the words that changed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.interfaces.web.diff_rows import MAX_ROWS, make_diff_rows

TEXTS = st.lists(st.sampled_from(["a", "b c", "d-e f", ""])).map("\n".join)


def test_changed_words_are_marked() -> None:
    found = make_diff_rows("one\nstatus: valid\nend\n", "one\nstatus: partial\nend\n")
    changed = [row for row in found.rows if row.sign in "+-"]
    assert [(row.sign, row.parts) for row in changed] == [
        ("-", (("status: ", False), ("valid", True))),
        ("+", (("status: ", False), ("partial", True))),
    ]
    assert (found.added, found.removed) == (1, 1)
    assert changed[0].old_line == changed[1].new_line == 2


def test_a_new_and_a_removed_file_are_whole() -> None:
    assert [row.sign for row in make_diff_rows(None, "a\nb\n").rows] == ["@", "+", "+"]
    assert [row.sign for row in make_diff_rows("a\n", None).rows] == ["@", "-"]
    assert make_diff_rows("a\n", "a\n").rows == []


def test_a_long_diff_is_cut_and_counted() -> None:
    found = make_diff_rows(None, "x\n" * (MAX_ROWS + 50))
    assert (len(found.rows), found.left_out) == (MAX_ROWS, 51)


@given(TEXTS, TEXTS)
def test_the_rows_have_both_texts(old: str, new: str) -> None:
    rows = make_diff_rows(old, new).rows
    for sign, text in (("-", old), ("+", new)):
        shown = ["".join(part for part, _ in row.parts) for row in rows if row.sign == sign]
        remaining = iter(text.split("\n"))
        assert all(line in remaining for line in shown)  # in their order


@given(TEXTS, TEXTS)
def test_no_change_is_lost(old: str, new: str) -> None:
    assert bool(make_diff_rows(old, new).rows) == (old != new)
