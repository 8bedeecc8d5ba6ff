"""What counts as an alternative that was really weighed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.decisions.alternatives import (
    ALTERNATIVES_TITLES,
    find_alternatives,
    has_decision_text,
)
from cortexfs.tree.package_files import read_template

TEMPLATE = read_template("decision.md") or ""
HEAD = (
    "---\nid: DR-0001\nstatus: proposed\n---\n\n# Title\n\n## Context\n\n- not one\n- nor this\n\n"
)
TAIL = "\n## Decision\n\n1. not one\n2. nor this\n"
LISTED = {
    "numbered": ("1. Git\n2. A server\n", ["Git", "A server"]),
    "bullets": ("- Git\n* A server\n", ["Git", "A server"]),
    "with more below": ("1. Git\n   - cheap\n   - slow\n2. None of it\n", ["Git", "None of it"]),
    "headings": ("### Git\n\n- cheap\n- slow\n\n### A server\n", ["Git", "A server"]),
    "one heading": ("### Git\n\n- cheap\n- slow\n", ["Git"]),
    "text before": ("There are two.\n\n1. Git\n2. A server\n", ["Git", "A server"]),
    "named later": ("### Option A\n\nGit\n\n### Option B\n", ["Option A"]),
    "one letter": ("- C\n- Go\n", ["C", "Go"]),
    "below the marker": ("1.\n   Git\n2.\n   A server\n", ["Git", "A server"]),
}
UNLISTED = {
    "nothing": "",
    "empty items": "1.\n2.\n",
    "places": "- Option A\n- alternative 2\n- <another>\n- {{what}}\n- TODO\n- ...\n",
    "a comment": "<!--\n- Git\n- A server\n-->\n",
    "code": "```\n- Git\n- A server\n```\n",
    "a paragraph": "Git, or a server.\n",
}


@pytest.mark.parametrize("name", ALTERNATIVES_TITLES)
@pytest.mark.parametrize("form", LISTED)
def test_list_items_or_headings_of_the_section_are_alternatives(form: str, name: str) -> None:
    written, titles = LISTED[form]
    assert list(find_alternatives(f"{HEAD}## {name}\n\n{written}{TAIL}")) == titles


@pytest.mark.parametrize("form", UNLISTED)
def test_a_placeholder_is_not_an_alternative(form: str) -> None:
    assert find_alternatives(f"{HEAD}## Alternatives\n\n{UNLISTED[form]}{TAIL}", TEMPLATE) == ()


def test_equal_alternatives_count_once() -> None:
    assert len(find_alternatives("## Alternatives\n\n- Use git\n- use GIT.\n- **Use git**\n")) == 1


def test_text_of_the_template_is_neither_alternative_nor_decision() -> None:
    guided = TEMPLATE.replace("1.\n2.\n", "1. What could be done\n2. What else\n")
    assert guided != TEMPLATE
    for text in (TEMPLATE, guided):
        assert find_alternatives(text, text) == ()
        assert not has_decision_text(text, text)
        assert has_decision_text(text.replace("What was chosen", "Git was chosen"), text)


@given(st.lists(st.from_regex(r"[a-z]{4,9} by [a-z]{4,9}", fullmatch=True), unique=True))
def test_all_alternatives_are_found(items: list[str]) -> None:
    for form in ("- {}\n", "* {}\n", "### {}\n\ntext\n\n- for\n- against\n\n"):
        written = "".join(form.format(item) for item in items)
        assert list(find_alternatives(f"{HEAD}## Alternatives\n\n{written}{TAIL}")) == items
