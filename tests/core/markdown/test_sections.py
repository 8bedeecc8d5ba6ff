"""Lines and sections cover the text, and only what a reader sees as a heading is one."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages_of_markdown import NEWLINES, texts

from cortexfs.core.markdown.lines import detect_line_ending, iter_markdown_lines
from cortexfs.core.markdown.sections import (
    find_lead_end,
    find_section,
    find_section_in_text,
    list_titles,
    normalize_title,
    parse_heading,
    parse_sections,
)


@given(st.text() | texts())
def test_the_lines_of_any_text_join_to_it(text: str) -> None:
    found = list(iter_markdown_lines(text))
    assert "".join(text[line.start : line.end] for line in found) == text
    assert all(one.end == other.start for one, other in pairwise(found))


@given(st.text() | texts(), st.sampled_from(NEWLINES))
def test_headings_are_in_order_and_do_not_overlap(text: str, end: str) -> None:
    found = parse_sections(text.replace("\n", end))
    assert all(one.body_start <= other.start for one, other in pairwise(found))
    assert list_titles(text.replace("\n", end)) == [section.title for section in found]


@given(texts())
def test_a_section_contains_its_subsections_completely(text: str) -> None:
    found = parse_sections(text)
    for at, section in enumerate(found):
        later = found[at + 1 :]
        subsections = [subsection for subsection in later if subsection.start < section.end]
        assert section.start < section.body_start <= section.end <= len(text)
        assert all(
            subsection.level > section.level and subsection.end <= section.end
            for subsection in subsections
        )
        assert section.end == min(
            (subsection.start for subsection in later if subsection.level <= section.level),
            default=len(text),
        )


@given(texts(), st.sampled_from(NEWLINES))
def test_sections_begin_at_the_lines_that_are_headings(text: str, end: str) -> None:
    text = text.replace("\n", end)
    headings = [
        (line.start, *head)
        for line in iter_markdown_lines(text)
        if (head := parse_heading(line.text_without_code))
    ]
    assert headings == [
        (section.start, section.level, section.title) for section in parse_sections(text)
    ]


@pytest.mark.parametrize(
    "block",
    ["```\n## B\n```\n", "~~~\n```\n## B\n~~~\n", "<!--\n## B\n-->\n", "- ~~~\n  ## B\n  ~~~\n"],
)
def test_headings_in_code_or_a_comment_are_not_headings(block: str) -> None:
    assert [s.title for s in parse_sections(f"## A\n{block}## C")] == ["A", "C"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("# A", (1, "A")),
        ("   ###### A ##", (6, "A")),
        ("\ufeff# A\r", (1, "A")),
        ("## About C#", (2, "About C#")),
        ("#", (1, "")),
        ("## ##", (2, "")),
        ("#\tA <!-- x", (1, "A <!-- x")),
        ("    # A", None),
        ("####### A", None),
        ("#A", None),
        ("", None),
    ],
)
def test_headings_follow_commonmark(line: str, expected: tuple[int, str] | None) -> None:
    assert parse_heading(line) == expected


def test_a_section_ends_at_the_next_heading_of_its_level() -> None:
    text = "# T\n## A\n### a\n## B ##\n"
    assert [(s.title, text[s.start : s.end]) for s in parse_sections(text)] == [
        ("T", text),
        ("A", "## A\n### a\n"),
        ("a", "### a\n"),
        ("B", "## B ##\n"),
    ]


@pytest.mark.parametrize(
    ("text", "lead"), [("# T\nx\n## A", "# T\nx\n"), ("# T\nx", "# T\nx"), ("", "")]
)
def test_the_lead_of_a_page_ends_at_its_first_second_level_heading(text: str, lead: str) -> None:
    assert text[: find_lead_end(text)] == lead


def test_titles_are_compared_without_case_and_punctuation() -> None:
    assert normalize_title("Blockers & Pending decisions:") == normalize_title(
        "blockers and pending Decisions"
    )
    assert detect_line_ending("a\r\nb\n") == "\r\n"


@given(st.text(alphabet="#ab \n`", max_size=60), st.sampled_from(["a", "b", "a b"]))
def test_one_section_is_found_without_the_others(text: str, title: str) -> None:
    assert find_section_in_text(text, [title]) == find_section(parse_sections(text), [title])
