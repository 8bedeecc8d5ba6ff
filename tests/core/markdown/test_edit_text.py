"""One place of a text is changed, and nothing around it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from pages_of_markdown import NEWLINES, texts

from cortexfs.core.markdown.edit_text import (
    append_block,
    escape_markdown_line,
    insert_block,
    remove_span,
    replace_section_body,
)
from cortexfs.core.markdown.fences import find_fenced_spans
from cortexfs.core.markdown.lines import trim_span
from cortexfs.core.markdown.lists import find_list_items
from cortexfs.core.markdown.sections import parse_sections

STARTS = (
    *("", "#", "## ", "- ", "* ", "+", "> ", "| ", "1. ", "12)", "```", "~~~", "---", "***", "___"),
    *("* * *", "===", "<!--", "<script>", "<div", "</p>", "<?x", "<!X", "[x]: ", "    ", "[a](b)"),
)
PARAGRAPH_TOKENS = ["paragraph_open", "inline", "paragraph_close"]

contents = st.sampled_from(["One.", "- a\n- b", "1. a", "A paragraph\nof two lines"])


@given(texts(), st.sampled_from(NEWLINES), st.booleans())
def test_empty_edits_change_nothing(text: str, end: str, is_ended: bool) -> None:
    text = text.replace("\n", end) if is_ended else text.replace("\n", end).rstrip()
    for section in parse_sections(text):
        assert remove_span(text, section.start, section.start) == text
        body_start, body_end = trim_span(text, section.body_start, section.end)
        if body_start < body_end:
            content = text[text.rfind("\n", 0, body_start) + 1 : body_end].replace("\r\n", "\n")
            assert replace_section_body(text, section, content) == text


@given(texts(), st.sampled_from(["", "old\n", "\n- old\n- older\n\n", "\n\n"]), texts(), contents)
def test_replacing_a_section_body_changes_no_byte_around_it(
    head: str, body: str, tail: str, content: str
) -> None:
    following = f"## Next\n\n{tail}"
    text = f"{head}## Here\n{body}{following}"
    section = next(s for s in parse_sections(text) if s.title == "Here")
    after = replace_section_body(text, section, content)
    assert after.startswith(f"{head}## Here\n")
    assert after.endswith(following)
    section_after = next(s for s in parse_sections(after) if s.title == "Here")
    body_start, body_end = trim_span(after, section_after.body_start, section_after.end)
    assert after[body_start:body_end] == content
    assert replace_section_body(after, section_after, content) == after


@given(texts(), st.sampled_from(NEWLINES))
def test_an_appended_block_is_set_apart_with_the_line_endings_of_the_file(
    text: str, end: str
) -> None:
    text = text.replace("\n", end)
    after = append_block(text, "## New\n\n- x")
    assert after.startswith(text)
    wanted = "\n" if "\n" not in text else end
    assert after.endswith(f"## New{wanted}{wanted}- x{wanted}")
    assert not text or after[: -len(f"## New{wanted}{wanted}- x{wanted}")].endswith(wanted * 2)


@given(texts(), texts())
def test_an_inserted_block_changes_no_text_before_or_after_it(head: str, tail: str) -> None:
    after = insert_block(f"{head}\n{tail}", len(head) + 1, "new")
    assert after.startswith(f"{head}\n")
    assert after.endswith(tail)
    assert "new" in after.splitlines()


@given(texts(), texts())
def test_removing_a_span_keeps_the_rest_and_leaves_no_blank_end(head: str, tail: str) -> None:
    rest = remove_span(f"{head}## Gone\n\nbody\n\n{tail}", len(head), len(head) + 15)
    assert rest.split() == f"{head}{tail}".split()
    assert rest == head + tail or not tail.strip()


@given(st.sampled_from(STARTS), st.text())
def test_a_formatted_paragraph_is_a_paragraph_for_any_reader(start: str, words: str) -> None:
    paragraph = escape_markdown_line(f"{start}{words}")
    assert "\n" not in paragraph
    assert (
        parse_sections(paragraph),
        find_list_items(paragraph),
        find_fenced_spans(paragraph),
    ) == ([], [], [])
    blocks = [token.type for token in MarkdownIt("commonmark").parse(f"{paragraph}\n\nnext\n")]
    assert blocks == PARAGRAPH_TOKENS * (2 if paragraph.strip() else 1)


def test_text_that_begins_no_block_is_not_escaped() -> None:
    for words in ("<5 ms", "<https://e.org> x", "[x] done", "1.5 V", "-x", "**b** c", "#tag"):
        assert escape_markdown_line(words) == words
    assert escape_markdown_line("2. x") == "2\\. x"
