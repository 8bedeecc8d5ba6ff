"""Wiki links: their name, section and shown text, in a table too."""

from __future__ import annotations

import pytest

from cortexfs.core.markdown.wiki_links import find_wiki_links


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[K-1]]", ("K-1", None, None, None)),
        ("[[K-1|shown]]", ("K-1", None, "|", "shown")),
        (r"| [[K-1\|shown]] |", ("K-1", None, r"\|", "shown")),
        (r"[[K-1#a\|shown]]", ("K-1", "#a", r"\|", "shown")),
        ("[[K-1#a#b|c|d#e]]", ("K-1", "#a#b", "|", "c|d#e")),
        (r"[[a\b]]", (r"a\b", None, None, None)),
        (r"[[K-1\|]]", ("K-1", None, r"\|", "")),
    ],
)
def test_a_wiki_link_has_a_name_a_section_and_a_shown_text(
    text: str, expected: tuple[str | None, ...]
) -> None:
    assert [found.groups() for found in find_wiki_links(text)] == [expected]


@pytest.mark.parametrize(
    "text", ["[[]]", "[[|x]]", "[[#x]]", "[[a\nb]]", "[[a]", f"[[{'a' * 301}]]"]
)
def test_other_brackets_are_no_wiki_link(text: str) -> None:
    assert list(find_wiki_links(text)) == []
