"""Of a prompt only what a person typed counts; common words are no topic."""

from __future__ import annotations

import pytest

from cortexfs.core.memory.emitted_text import wrap_emitted_text
from cortexfs.core.patterns.parse_prompt import (
    MAX_WORDING_CHARS,
    clean_prompt,
    iter_topics,
    parse_question,
    shorten_wording,
)


@pytest.mark.parametrize(
    "prompt",
    [
        "<task-notification>flange</task-notification>",
        "/compact keep the flange",
        "[Request interrupted by user]",
        "This session is being continued from a previous conversation about a flange",
        wrap_emitted_text("the flange is hot", "bulletin"),
        "<private>the flange</private>",
        "```\nflange: command not found\n```",
        "",
    ],
)
def test_what_nobody_typed_has_no_topic(prompt: str) -> None:
    assert list(iter_topics(clean_prompt(prompt))) == []


def test_topics_are_specific_words() -> None:
    text = "Please fix the flange test in src/store.py, the refresh-token and 42 other flanges"
    assert dict(iter_topics(text)) == {"flang": "flanges", "refresh-token": "refresh-token"}


def test_a_question_is_its_terms_in_any_order_and_inflection() -> None:
    assert parse_question("How do I rebuild the search index?") == parse_question(
        "how can the search index be rebuilt in time?".replace("rebuilt in time", "rebuilding")
    )
    assert parse_question("Rebuild the index.") == ""
    assert parse_question("What now?") == ""
    assert parse_question("Does the test run?") == ""


def test_a_wording_is_one_safe_line() -> None:
    token = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    shown = shorten_wording(f"a\x1b[31m <b>`x`</b> [y](z) \u202e{token}\nand " + "long " * 99)
    assert len(shown) <= MAX_WORDING_CHARS
    assert not set(shown) & set("<>[]`|\\\x1b\u202e\n")
    assert "aB3dE5" not in shown
