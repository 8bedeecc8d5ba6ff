"""Sections and bullets are found where they stand, and nothing around them changes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages_of_markdown import NEWLINES, texts

from cortexfs.core.governance.sections import (
    append,
    bullets,
    insert,
    lines,
    newline,
    paragraph,
    plain,
    refill,
    sections,
    trimmed,
    without,
)

contents = st.sampled_from(["One.", "- a\n- b", "1. a", "A paragraph\nof two lines"])


@given(st.text())
def test_any_text_is_its_lines(text: str) -> None:
    found = list(lines(text))
    assert "".join(text[line.start : line.end] for line in found) == text
    assert all(one.end == other.start for one, other in pairwise(found))


@given(st.text())
def test_any_text_can_be_looked_through(text: str) -> None:
    for section in sections(text):
        assert 0 <= section.start <= section.body <= section.end <= len(text)
    for bullet in bullets(text):
        assert text[bullet.start : bullet.end].strip().startswith(bullet.marker)


@given(texts(), st.sampled_from(["", "old\n", "\n- old\n- older\n\n", "\n\n"]), texts(), contents)
def test_refilling_a_section_leaves_every_byte_before_and_after(
    head: str, body: str, tail: str, content: str
) -> None:
    below = f"## Next\n\n{tail}"
    text = f"{head}## Here\n{body}{below}"
    section = next(s for s in sections(text) if s.title == "Here")
    after = refill(text, section, content)
    assert after.startswith(f"{head}## Here\n")
    assert after.endswith(below)
    again = next(s for s in sections(after) if s.title == "Here")
    first, last = trimmed(after, again.body, again.end)
    assert after[first:last] == content
    assert refill(after, again, content) == after


@given(texts(), st.sampled_from(NEWLINES))
def test_what_is_appended_stands_alone_in_the_line_ends_of_the_file(text: str, end: str) -> None:
    text = text.replace("\n", end)
    after = append(text, "## New\n\n- x")
    assert after.startswith(text)
    wanted = "\n" if "\n" not in text else end
    assert after.endswith(f"## New{wanted}{wanted}- x{wanted}")
    assert not text or after[: -len(f"## New{wanted}{wanted}- x{wanted}")].endswith(wanted * 2)


@given(texts(), texts())
def test_what_is_inserted_pushes_apart_and_changes_neither_side(head: str, tail: str) -> None:
    after = insert(f"{head}\n{tail}", len(head) + 1, "new")
    assert after.startswith(f"{head}\n")
    assert after.endswith(tail)
    assert "new" in after.splitlines()


@given(texts(), texts())
def test_what_is_taken_out_leaves_the_rest_and_no_blank_end(head: str, tail: str) -> None:
    rest = without(f"{head}## Gone\n\nbody\n\n{tail}", len(head), len(head) + 15)
    assert rest.split() == f"{head}{tail}".split()
    assert rest == head + tail or not tail.strip()


def test_what_stands_in_code_is_no_heading_and_no_bullet() -> None:
    text = "## A\n```\n## B\n- b\n```\n~~~\n```\n## C\n~~~\n- d\n"
    assert [s.title for s in sections(text)] == ["A"]
    assert [b.words for b in bullets(text)] == ["d"]


def test_a_section_ends_where_the_next_of_its_rank_begins() -> None:
    text = "# T\n## A\n### a\n## B ##\n"
    assert [(s.title, text[s.start : s.end]) for s in sections(text)] == [
        ("T", text),
        ("A", "## A\n### a\n"),
        ("a", "### a\n"),
        ("B", "## B ##\n"),
    ]


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
def test_an_entry_holds_all_that_belongs_to_it(entry: str) -> None:
    text = f"- before\n{entry}- after\n\nA paragraph.\n"
    assert [text[b.start : b.end] for b in bullets(text)] == ["- before\n", entry, "- after\n"]


@pytest.mark.parametrize("end", ["## Heading", "A paragraph", "```", "- other"])
def test_what_comes_after_a_blank_line_at_the_margin_belongs_to_no_entry(end: str) -> None:
    text = f"- a\n\n{end}\n"
    first = bullets(text)[0]
    assert text[first.start : first.end] == "- a\n"


@given(st.text())
def test_a_paragraph_is_never_a_heading_or_a_bullet(words: str) -> None:
    said = paragraph(words)
    assert "\n" not in said
    assert sections(said) == []
    assert not [bullet for bullet in bullets(said) if not bullet.marker[:-1].isdecimal()]


def test_titles_say_the_same_whatever_their_case_and_punctuation() -> None:
    assert plain("Blockers & Pending decisions:") == plain("blockers and pending Decisions")
    assert newline("a\r\nb\n") == "\r\n"
