"""Code between fences says nothing, lines keep their numbers, and no text takes long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.fences import blanked, without_code
from cortexfs.core.reading import cites

LINES = st.sampled_from(
    ["```", "~~~", "````", "```py", "   ```", "    ```", "EXP-001", "``` a`b", ""]
)


@given(st.lists(LINES | st.text("`~ a\r\t", max_size=6)).map("\n".join))
def test_every_line_is_kept_or_emptied(text: str) -> None:
    before, after = text.split("\n"), without_code(text).split("\n")
    assert len(before) == len(after)
    assert all(new in {old, ""} for old, new in zip(before, after, strict=True))


@given(st.lists(LINES | st.text("`~ a\r\t", max_size=6)).map("\n".join))
def test_blanked_code_leaves_every_character_in_its_place(text: str) -> None:
    for now, was, left in zip(
        blanked(text).split("\n"), text.split("\n"), without_code(text).split("\n"), strict=True
    ):
        assert now == (left or " " * len(was))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a\n```\nb\n```\nc", "a\n\n\n\nc"),
        ("a\n~~~\n```\n~~~\nc", "a\n\n\n\nc"),
        ("```` \n```\n````\nc", "\n\n\nc"),
        ("```\n```py\nb\n```\nc", "\n\n\n\nc"),
        ("a\n```\nnever closed", "a\n\n"),
        ("an ``` inline ``` fence", "an ``` inline ``` fence"),
        ("``` not`a fence\nb", "``` not`a fence\nb"),
        ("- a\n\n      ```\n      b\n      ```\n- c", "- a\n\n\n\n\n- c"),
    ],
)
def test_a_fence_is_what_commonmark_says(text: str, left: str) -> None:
    assert without_code(text) == left


def test_refs_are_found_with_their_lines_outside_of_code() -> None:
    text = "EXP-001\n```\nEXP-002\n```\nflywheel/K-003 and EXP-001\n"
    assert list(cites(text)) == [("EXP-001", 1), ("flywheel/K-003", 5), ("EXP-001", 5)]


def test_the_line_of_a_ref_is_counted_on_from_the_ref_before() -> None:
    text = "EXP-001\n" * 50_000
    assert [line for _, line in cites(text)] == list(range(1, 50_001))
