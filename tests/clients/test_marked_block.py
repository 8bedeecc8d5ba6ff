"""A block between two comments in a Markdown file of the user."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.clients.marked_block import BEGIN, END, remove_block, set_block
from cortexfs.errors import Refused


def test_a_block_is_added_after_a_blank_line_and_replaced_in_its_place() -> None:
    once = set_block("# Mine\n", "first")
    assert once == f"# Mine\n\n{BEGIN}\nfirst\n{END}\n"
    assert set_block(once + "more\n", "second") == f"# Mine\n\n{BEGIN}\nsecond\n{END}\nmore\n"
    assert remove_block(once + "more\n") == "# Mine\nmore\n"


@given(st.text(alphabet="a \n#").map(lambda text: text and text + "\n"), st.text(alphabet="b \n"))
def test_removing_an_added_block_restores_the_text(text: str, block: str) -> None:
    assert remove_block(set_block(text, block)) == text


@pytest.mark.parametrize("text", [BEGIN, END, f"{END}\n{BEGIN}", f"{BEGIN}\n{END}\n{BEGIN}\n{END}"])
def test_comments_that_do_not_match_are_refused(text: str) -> None:
    for edit in (lambda: set_block(text, "x"), lambda: remove_block(text)):
        with pytest.raises(Refused, match="do not match"):
            edit()
