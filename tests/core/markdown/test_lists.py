"""An entry of a list is found with all that belongs to it, and with nothing else."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages_of_markdown import texts

from cortexfs.core.markdown.lists import find_list_items
from cortexfs.core.markdown.sections import parse_sections


@given(st.text() | texts())
def test_list_items_do_not_overlap_or_contain_a_heading(text: str) -> None:
    found = find_list_items(text)
    assert all(one.end <= other.start for one, other in pairwise(found))
    for item in found:
        assert text[item.start : item.end].strip().startswith(item.marker)
        assert not any(item.start < head.start < item.end for head in parse_sections(text))


@given(texts())
def test_the_items_of_a_section_are_those_that_begin_in_it(text: str) -> None:
    for section in parse_sections(text):
        items_inside = [
            b for b in find_list_items(text) if section.body_start <= b.start < section.end
        ]
        assert find_list_items(text, section.body_start, section.end) == items_inside


@pytest.mark.parametrize(
    "entry",
    [
        "- a\n",
        "- a\n  goes on\n",
        "- a\ngoes on lazily\n",
        "- a\n\n  after a blank line\n",
        "- a\n  - deeper\n    - deepest\n",
        "- a\n  ```\n  ## code\n  - x\n  ```\n",
    ],
)
def test_an_item_contains_its_continuation_lines(entry: str) -> None:
    text = f"- before\n{entry}- after\n\nA paragraph.\n"
    assert [text[b.start : b.end] for b in find_list_items(text)] == [
        "- before\n",
        entry,
        "- after\n",
    ]


@pytest.mark.parametrize("end", ["## Heading", "A paragraph", "```", "- other"])
def test_an_unindented_line_after_a_blank_one_ends_the_item(end: str) -> None:
    text = f"- a\n\n{end}\n"
    first = find_list_items(text)[0]
    assert text[first.start : first.end] == "- a\n"


def test_items_in_code_or_a_comment_are_not_items() -> None:
    text = "```\n- b\n```\n~~~\n```\n- c\n~~~\n<!--\n- e\n-->\n"
    text += "- d\n<!-- - f -->\n- ```\n  - g\n  ```\n"
    assert [b.text for b in find_list_items(text)] == ["d", "```"]
    assert [text[b.start : b.end] for b in find_list_items(text)] == [
        "- d\n",
        "- ```\n  - g\n  ```\n",
    ]
