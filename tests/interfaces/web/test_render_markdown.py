"""Markdown becomes HTML that cannot do anything, with refs as links."""

from __future__ import annotations

import html5lib
from hypothesis import given
from hypothesis import strategies as st
from xss_payloads import PAYLOADS

from cortexfs.interfaces.web.render_markdown import ATTRIBUTES, TAGS, render_markdown

PATH = "projects/driftwood/experiments/EXP-006.md"
REFS = frozenset({"driftwood/EXP-001", "lighthouse/EXP-009", "IDEA-001"})


def render(text: str) -> str:
    return str(render_markdown(text, PATH, REFS)).strip()


def test_known_refs_become_links_and_others_stay_text() -> None:
    assert (
        render("as EXP-001 says")
        == '<p>as <a href="/atom/driftwood/EXP-001" rel="noopener noreferrer">EXP-001</a> says</p>'
    )
    assert 'href="/atom/lighthouse/EXP-009"' in render("lighthouse/EXP-009")
    assert 'href="/atom/IDEA-001"' in render("(IDEA-001)")
    for text in ("EXP-002", "`EXP-001`", "EXP-0011", "x/EXP-001-b", "XEXP-001"):
        assert "<a" not in render(text), text


def test_a_ref_in_a_link_is_not_linked_twice() -> None:
    assert render("[EXP-001](https://example.org)").count("<a") == 1


def test_links_to_files_lead_to_their_pages() -> None:
    assert 'href="/files/projects/driftwood/STATUS.md"' in render("[x](../STATUS.md)")
    assert 'href="/files/projects/driftwood/experiments/EXP-001.md"' in render(
        "[x](EXP-001.md#results)"
    )
    assert "href" not in render("[x](../../../../etc/passwd)")
    assert "href" not in render("[x](//elsewhere.example/x)")
    assert 'href="#results"' in render("[x](#results)")


def test_no_image_is_fetched() -> None:
    assert "elsewhere" not in render("![x](https://elsewhere.example/x.png)")


def test_headings_are_below_those_of_the_page_and_tasks_have_boxes() -> None:
    assert render("# One").startswith("<h2>")
    assert "<li>☑ done</li>" in render("- [x] done")
    assert "<li>☐ open</li>" in render("- [ ] open")


def test_tables_and_deletions_are_rendered() -> None:
    assert "<td>1</td>" in render("| a |\n|---|\n| 1 |")
    assert "<s>old</s>" in render("~~old~~")


@given(st.lists(st.sampled_from([*PAYLOADS, "\n\n", "- ", "> ", "```\n", "[", "](", ")", "*"])))
def test_only_harmless_elements_are_left(parts: list[str]) -> None:
    tree = html5lib.parseFragment(render("".join(parts)), namespaceHTMLElements=False)
    for each in tree.iter():
        assert each.tag in TAGS | {"DOCUMENT_FRAGMENT"}
        assert {*each.keys()} <= {"rel", *ATTRIBUTES.get(each.tag, ())}
        assert each.get("href", "/").startswith(("/", "#", "http://", "https://", "mailto:"))
        assert not each.get("href", "/").startswith("//")
