"""Learnings are the items of a section, and what is not one is not saved."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soak_cases import leave_to_soak

from cortexfs.core.memory.extract_learnings import (
    MAX_LEARNINGS,
    MIN_LEARNING_CHARS,
    extract_learnings,
)

FIRST = "bcrypt cost 12 is the right balance here"
SECOND = "refresh tokens need an atomic rotation"
THIRD = "the middleware runs before the router"


def test_three_numbered_items_are_three_learnings() -> None:
    text = f"Done.\n\n## Key Learnings:\n\n1. {FIRST}\n2. {SECOND}\n3) {THIRD}\n"
    assert extract_learnings(text) == [FIRST, SECOND, THIRD]


@pytest.mark.parametrize(
    "heading",
    [
        "## Aprendizajes Clave:",
        "## Aprendizajes",
        "### aprendizajes clave",
        "## Key Learning",
        "### Key Learnings:",
        "## Learning:",
        "### LEARNINGS",
        "## **Key Learnings**",
    ],
)
def test_english_and_spanish_headings_begin_a_section(heading: str) -> None:
    assert extract_learnings(f"{heading}\n\n1. {FIRST}\n2. {SECOND}\n") == [FIRST, SECOND]


def test_bullets_are_learnings_where_no_item_has_a_number() -> None:
    assert extract_learnings(f"### Learnings:\n- {FIRST}\n* {SECOND}\n") == [FIRST, SECOND]
    mixed = f"### Learnings:\n1. {FIRST}\n- {SECOND}\n"
    assert extract_learnings(mixed) == [FIRST]


def test_short_items_are_dropped() -> None:
    text = f"## Key Learnings:\n1. too short\n2. {FIRST}\n3. {'é' * (MIN_LEARNING_CHARS - 1)}\n"
    assert extract_learnings(text) == [FIRST]


@pytest.mark.parametrize(
    "text",
    [
        "",
        f"No section.\n\n1. {FIRST}",
        f"# Key Learnings\n1. {FIRST}",
        f"#### Key Learnings\n1. {FIRST}",
        f"## Key Learnings of May\n1. {FIRST}",
        f"Key Learnings:\n1. {FIRST}",
    ],
)
def test_without_a_section_there_is_none(text: str) -> None:
    assert extract_learnings(text) == []


def test_the_last_section_counts() -> None:
    text = f"## Key Learnings:\n1. {FIRST}\n\n## Next\n\n## Key Learnings:\n1. {SECOND}\n"
    assert extract_learnings(text) == [SECOND]


def test_an_earlier_section_counts_if_the_last_has_no_item() -> None:
    text = f"## Key Learnings:\n1. {FIRST}\n\n## Key Learnings:\n\nNone, or 1. short\n"
    assert extract_learnings(text) == [FIRST]


@pytest.mark.parametrize("end", ["# Next", "## Next", "### Next"])
def test_a_section_ends_at_the_next_heading(end: str) -> None:
    text = f"## Learnings\n1. {FIRST}\n#### Detail\n2. {SECOND}\n{end}\n3. {THIRD}\n"
    assert extract_learnings(text) == [FIRST, SECOND]


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("**Bold** and `code` and *italic* words", "Bold and code and italic words"),
        ("__Bold__ and _italic_ of `a_b * c_d * e`", "Bold and italic of a_b * c_d * e"),
        ("**the _inner_ one** is stripped too", "the inner one is stripped too"),
        ("2 * 3 * 4 stays, and so does snake_case_name", None),
        ("a pointer `**p` and the glob *.py stay", "a pointer **p and the glob *.py stay"),
    ],
)
def test_emphasis_is_stripped_and_arithmetic_is_not(item: str, expected: str | None) -> None:
    assert extract_learnings(f"## Learnings\n- {item}\n") == [expected or item]


def test_the_lines_of_an_item_belong_together() -> None:
    text = "## Learnings\r\n1. The cache is stale\r\n   after a rename.\r\n\r\n   Not an item\r\n"
    assert extract_learnings(text) == ["The cache is stale after a rename."]


def test_code_has_no_section_and_no_item() -> None:
    assert extract_learnings(f"```\n## Learnings\n1. {FIRST}\n```\n") == []
    text = f"## Learnings\n1. {FIRST}\n```\n2. {SECOND}\n```\n"
    assert extract_learnings(text) == [FIRST]


def test_a_project_may_have_headings_of_its_own() -> None:
    text = f"## Lessons  learned:\n- {FIRST}\n"
    assert extract_learnings(text) == []
    assert extract_learnings(text, ["lessons Learned"]) == [FIRST]
    assert extract_learnings(f"## Was wir (gelernt) haben\n- {FIRST}", ["Was wir (gelernt) haben"])


def test_the_number_of_learnings_is_limited() -> None:
    text = "## Learnings\n" + f"1. {FIRST}\n" * 5000
    assert len(extract_learnings(text)) == MAX_LEARNINGS


@given(st.lists(st.sampled_from(["## Learnings\n", "- ", "1. ", "*", "`", "_", "x" * 20, "\n"])))
def test_learnings_of_any_text_are_one_line_each(pieces: list[str]) -> None:
    for item in extract_learnings("".join(pieces)):
        assert len(item) >= MIN_LEARNING_CHARS
        assert "\n" not in item


@pytest.mark.parametrize(
    "piece",
    leave_to_soak(
        [
            "*",
            "**",
            "_",
            "* a",
            "*a ",
            "_a ",
            "**a ",
            "`a",
            " ",
            "1",
            "1. ",
            "- ",
            "- a\n",
            "#",
            "## Learnings\n",
            "\n",
        ],
        every=6,
    ),
)
def test_hostile_text_takes_linear_time(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    began = time.process_time()
    extract_learnings(text)
    extract_learnings(f"## Learnings\n- {text}\n  {text[:1000]}")
    assert time.process_time() - began < 2
