"""A text that was edited with line feeds keeps the line ends of what did not change."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.text.line_ends import keep_line_ends

LINES = st.lists(st.tuples(st.sampled_from(["a", "b", "", "c d"]), st.sampled_from(["\n", "\r\n"])))


@given(LINES, st.sampled_from(["", "end"]))
def test_a_text_that_nobody_changed_is_the_same(lines: list[tuple[str, str]], end: str) -> None:
    before = "".join(text + line_end for text, line_end in lines) + end
    assert keep_line_ends(before, before.replace("\r\n", "\n")) == before


def test_only_the_changed_line_is_new() -> None:
    before = "one\r\ntwo\nthree\r\nfour\r\n"
    assert keep_line_ends(before, "one\n2\nthree\nfour\n") == "one\r\n2\r\nthree\r\nfour\r\n"


def test_a_new_line_ends_as_most_do() -> None:
    assert keep_line_ends("a\r\nb\r\n", "a\nnew\nb\n") == "a\r\nnew\r\nb\r\n"
    assert keep_line_ends("a\nb\n", "a\nnew\nb\n") == "a\nnew\nb\n"
    assert keep_line_ends("a\r\nb", "a\nb\nc") == "a\r\nb\r\nc"
