"""The part of a text that answers: it holds what was sought, and marks just that."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from soak_cases import leave_to_soak
from test_parse_query import TODAY

from cortexfs.core.find.parse_query import parse_query
from cortexfs.core.find.snippet import SNIPPET_CHARS, make_snippet
from cortexfs.core.find.tokenize import tokenize

BODY = """# Title

## Background

Nothing to see. The quick fox waits.

## Results

First line. Then the sensors drift, and a drifting sensor is `read_sensor()`.
Last line.
"""


def _query_terms(typed: str) -> tuple[str, ...]:
    return parse_query(typed, TODAY).all_terms


def _marked_texts(body: str, typed: str) -> list[str]:
    snippet = make_snippet(body, _query_terms(typed))
    return [snippet.text[begin:end] for begin, end in snippet.marks]


def test_a_snippet_begins_with_the_matching_sentence_and_names_its_section() -> None:
    snippet = make_snippet(BODY, _query_terms("sensor drift"))
    assert snippet.text.startswith("Then the sensors drift")
    assert snippet.section == "Results"
    assert _marked_texts(BODY, "sensor drift") == [
        "sensors",
        "drift",
        "drifting",
        "sensor",
        "read_sensor",
    ]


@pytest.mark.parametrize(
    ("body", "typed", "expected"),
    [
        ("we call HandleSave here", "save", ["HandleSave"]),
        ("we call HandleSave here", "handlesave", ["HandleSave"]),
        ("un café noir", "cafe", ["café"]),
        ("über alles", "uber", ["über"]),
        ("我们用向量检索来找", "检索", ["检索"]),
        ("see src/auth/store.go now", "src/auth/store.go", ["src/auth/store.go"]),
        ("store.go and src/store.go", "store.go", ["store.go", "src/store.go"]),
        ("a [red]word[/red]", "word", ["word"]),
        ("retry and retries", "retr*", ["retry", "retries"]),
        ("EXP-009 and tide/EXP-009, not EXP-001", "EXP-009", ["EXP-009", "tide/EXP-009"]),
    ],
)
def test_a_match_is_marked_as_it_is_written(body: str, typed: str, expected: list[str]) -> None:
    assert _marked_texts(body, typed) == expected


def test_the_rule_below_the_head_of_a_table_is_left_out() -> None:
    body = "Rates:\n\n| page | retries |\n|---|--:|\n| home | 3 |\n\n---\n\nThe end - of it."
    snippet = make_snippet(body, _query_terms("retries"))
    assert snippet.text == "| page | retries | | home | 3 | The end - of it."


def test_a_snippet_without_a_match_is_the_beginning_of_the_text() -> None:
    snippet = make_snippet(BODY, ())
    assert snippet.text.startswith("Nothing to see.")
    assert snippet.marks == ()


@given(st.text(max_size=900), st.text(max_size=30))
@example("0\U0001f300", "\U0001f300")
def test_a_snippet_of_any_text_is_one_line_and_marks_only_query_words(
    body: str, typed: str
) -> None:
    words = _query_terms(typed)
    snippet = make_snippet(body, words)
    assert len(snippet.text) <= SNIPPET_CHARS + 1
    assert "\n" not in snippet.text
    assert "\x1b" not in snippet.text
    for begin, end in snippet.marks:
        tokens = tokenize(snippet.text[begin:end])
        assert set(f"{tokens.words} {tokens.names}".split()) & set(words)


@given(st.lists(st.sampled_from(["alpha", "beta", "gamma", "the", "HandleSave"]), max_size=200))
def test_a_word_of_the_query_is_marked_wherever_it_is(words: list[str]) -> None:
    assert bool(_marked_texts(" ".join(words), "beta")) == ("beta" in words)


@pytest.mark.parametrize(
    ("body", "section", "begins"),
    [
        ("## A\n\nlead\n\n```sh\n# install\n```\n\nthe walrus\n", "A", "the walrus"),
        ("## A\n\nlead\n\n## The walrus\n\nsings\n", "The walrus", "sings"),
        ("# T\n\n## A\n\nthe walrus\n\n## B\n\nno\n", "A", "the walrus no"),
        ("no\n\n## A\n\nthe walrus\n", "A", "the walrus"),
    ],
    ids=["a comment in code", "in the heading", "before another", "below no heading"],
)
def test_the_section_is_the_one_in_which_the_snippet_begins(
    body: str, section: str, begins: str
) -> None:
    snippet = make_snippet(body, _query_terms("walrus"))
    assert (snippet.section, snippet.text) == (section, begins)


def test_a_text_without_spaces_is_cut() -> None:
    snippet = make_snippet("检索 " + "我们用向量来找" * 100, _query_terms("检索"))
    assert snippet.text == "检索 " + ("我们用向量来找" * 100)[: SNIPPET_CHARS - 4] + " …"


def test_a_long_heading_is_cut() -> None:
    snippet = make_snippet(f"## {'very ' * 200}\n\nthe walrus\n", _query_terms("walrus"))
    assert snippet.text == "the walrus"
    assert len(snippet.section) <= SNIPPET_CHARS + 1


@pytest.mark.parametrize(
    "body",
    leave_to_soak(
        [
            f"{'# ' * 50_000}x\nwalrus",
            " ".join(f"walrus-{number}" for number in range(50_000)),
            "walrus " * 100_000,
            "海象" * 100_000,
        ],
        every=4,
    ),
    ids=["a heading", "identifiers", "a word", "no blanks"],
)
def test_hostile_text_takes_linear_time(body: str) -> None:
    began = time.process_time()
    assert make_snippet(body, _query_terms("walrus 海象")).marks
    assert time.process_time() - began < 2


def test_a_text_of_many_distinct_words_takes_limited_time_in_many_languages() -> None:
    body = f"walrus {' '.join(f'walrüsse{number:x}' for number in range(50_000))}"
    began = time.process_time()
    snippet = make_snippet(body, _query_terms("walrus"), ("de", "fr", "es", "it", "nl", "pt"))
    assert snippet.marks[0] == (0, 6)
    assert time.process_time() - began < 2
