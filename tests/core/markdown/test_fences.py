"""Code and comments say nothing, all else keeps its place, and no text takes long."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soak_cases import leave_to_soak

from cortexfs.core.atoms.find_cited_refs import find_cited_refs
from cortexfs.core.markdown.fences import (
    blank_code,
    blank_code_and_comments,
    blank_comments,
    find_fenced_spans,
)
from cortexfs.core.markdown.lines import iter_markdown_lines
from cortexfs.core.markdown.lists import find_list_items
from cortexfs.core.markdown.sections import parse_sections
from cortexfs.core.markdown.tables import find_tables

LINES = st.sampled_from(
    [
        *("```", "~~~", "````", "```py", "   ```", "    ```", "EXP-001", "``` a`b", ""),
        *("<!--", "-->", "<!-- a -->", "a <!-- b", "- ```", "`<!--`", "# x"),
    ]
)
texts = st.lists(LINES | st.text("`~<!-> a\r\t", max_size=8)).map("\n".join)


@given(texts)
def test_blanking_replaces_characters_by_spaces_only(text: str) -> None:
    for blank in (blank_code_and_comments, blank_code, blank_comments):
        expected = blank(text)
        assert len(expected) == len(text)
        assert all(now in {was, " "} for now, was in zip(expected, text, strict=True))
        assert [offset for offset, sign in enumerate(expected) if sign == "\n"] == [
            offset for offset, sign in enumerate(text) if sign == "\n"
        ]


@given(texts)
def test_fenced_spans_do_not_overlap_and_only_the_last_may_be_open(text: str) -> None:
    found, offset = find_fenced_spans(text), 0
    for span in found:
        assert offset <= span.start < span.end <= len(text)
        assert span.is_open or text[: span.end].rstrip(" \t\r").endswith(span.closing_marker[:3])
        offset = span.end
    assert not any(span.is_open for span in found[:-1])


@given(texts)
def test_the_closing_marker_closes_an_open_span(text: str) -> None:
    last = find_fenced_spans(text)[-1:]
    closed = (
        f"{text}\n{last[0].closing_marker}\n# x" if last and last[0].is_open else f"{text}\n# x"
    )
    assert parse_sections(closed)[-1].title == "x"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n```\nb\n```\nc", "a\n   \n \n   \nc"),
        ("a\n~~~\n```\n~~~\nc", "a\n   \n   \n   \nc"),
        ("````\n```\n````\nc", "    \n   \n    \nc"),
        ("```\n```py\nb\n```\nc", "   \n     \n \n   \nc"),
        ("a\n```\nnever closed", "a\n   \n            "),
        ("an ``` inline ``` fence", "an ``` inline ``` fence"),
        ("``` not`a fence\nb", "``` not`a fence\nb"),
        ("-\n\n      ```\n      b\n      ```\nc", "-\n\n         \n       \n         \nc"),
        ("- ```\n  # b\n  ```\nc", "-    \n     \n     \nc"),
        ("1. ~~~\nb\n~~~", "1.    \n \n   "),
    ],
)
def test_code_fences_follow_commonmark_at_any_depth(text: str, expected: str) -> None:
    assert blank_code_and_comments(text) == blank_code(text) == expected
    assert blank_comments(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<!-- a\n\nb --> c", "      \n\n      c"),
        ("<!--\n```\n-->\n# a", "    \n   \n   \n# a"),
        ("a <!-- b --> c", "a            c"),
        ("- <!-- b -->", "-           "),
        ("<!-- a --><!-- b -->", "                    "),
        ("a\n<!-- never closed\n# b", "a\n                 \n   "),
        ("a <!-- b\n\nc -->", "a <!-- b\n\nc -->"),
        ("`<!-- a -->` and `<!--`", "`<!-- a -->` and `<!--`"),
    ],
)
def test_comments_are_those_that_a_reader_does_not_see(text: str, expected: str) -> None:
    assert blank_code_and_comments(text) == blank_comments(text) == expected
    assert blank_code(text) == text


@pytest.mark.parametrize(
    "unit",
    leave_to_soak(["<!--", "a <!--\n", "`<!--", "<!-- -->", "```\n", "`", "~~~a\n"], every=4),
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    text = unit * 20_000 + "\n# #| - " * 20_000
    began = time.process_time()
    assert len(blank_code_and_comments(text)) == len(text)
    assert parse_sections(text) is not None
    assert find_list_items(text) is not None
    assert list(iter_markdown_lines(text))[-1].end == len(text)
    assert list(find_tables(text)) is not None
    assert time.process_time() - began < 2


def test_refs_outside_code_are_found_with_their_lines() -> None:
    text = "EXP-001\n```\nEXP-002\n```\nflywheel/K-003 and EXP-001\n"
    assert list(find_cited_refs(text)) == [("EXP-001", 1), ("flywheel/K-003", 5), ("EXP-001", 5)]


def test_lines_of_many_refs_take_linear_time() -> None:
    text = "EXP-001\n" * 50_000
    began = time.process_time()
    assert [line for _, line in find_cited_refs(text)] == list(range(1, 50_001))
    assert time.process_time() - began < 2
