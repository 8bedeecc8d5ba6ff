from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.interfaces.mcp.result_pages import MAX_PAGE_WEIGHT, cut_page, describe_page


def test_a_short_text_is_one_page_without_a_marker() -> None:
    page = cut_page("short", 1)
    assert (page.text, describe_page(page, "cortex_show")) == ("short", "")


def test_a_page_ends_after_a_line_and_names_how_to_get_the_next() -> None:
    text = "".join(f"line {number}\n" for number in range(10_000))
    page = cut_page(text, 1)
    assert page.text.endswith("\n")
    assert describe_page(page, "cortex_show") == "[page 1 of 3; next: cortex_show with page=2]"
    assert describe_page(cut_page(text, 3), "cortex_show") == "[page 3 of 3]"


@pytest.mark.parametrize("number", [99, 3])
def test_a_page_after_the_last_is_the_last(number: int) -> None:
    assert cut_page("x\n" * 50_000, number).number == 3


@given(
    st.lists(st.sampled_from(["a" * 3_000, "é" * 3_000, "b\n" * 2_000, "\n", "数" * 30_000])),
)
def test_the_pages_together_are_the_text_and_none_is_too_long(parts: list[str]) -> None:
    text = "".join(parts)
    total = cut_page(text, 1).total
    pages = [cut_page(text, number + 1).text for number in range(total)]
    assert "".join(pages) == text
    for page in pages:
        assert len(page) + sum(ord(char) > 127 for char in page) <= MAX_PAGE_WEIGHT
