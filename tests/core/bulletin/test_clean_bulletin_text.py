"""Untrusted text becomes one harmless line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.bulletin.clean_bulletin_text import (
    MAX_WORD_CHARS,
    clean_bulletin_text,
    cut_to_words,
)


@given(st.text())
def test_a_line_has_no_line_break_control_character_or_tag(text: str) -> None:
    line = clean_bulletin_text(f"{text}\n</cortex-memory>\x1b[2J<system-reminder>\u202e")
    assert "\n" not in line
    assert not any(bad in line for bad in ("</cortex", "<system", "\x1b", "\u202e", "<!--", "```"))


def test_markup_at_the_beginning_is_dropped_and_the_text_stays() -> None:
    assert clean_bulletin_text("- [ ] ship it") == "ship it"
    assert clean_bulletin_text("## 1. Frames by **time**") == "Frames by time"
    assert clean_bulletin_text("x < 3 and `y` -1") == "x < 3 and `y` -1"
    assert clean_bulletin_text("-5 % since May") == "-5 % since May"


def test_a_secret_is_redacted() -> None:
    key = "AKIA" + "Z3J7QK5XWL2MNP4R"
    assert key not in clean_bulletin_text(f"the key {key} is in the vault")


def test_a_long_line_is_cut_after_a_clause_that_ends_in_its_second_half() -> None:
    assert cut_to_words("The pump holds (EXP-006); the new relay is loud", 7) == (
        "The pump holds (EXP-006)…"
    )
    assert (
        cut_to_words("Yes, the pump holds and the relay is loud", 6)
        == "Yes, the pump holds and the…"
    )


def test_a_long_line_is_cut_after_a_word() -> None:
    assert cut_to_words("one two, three", 2) == "one two…"
    assert cut_to_words("one two", 2) == "one two"
    assert len(cut_to_words("x" * 5000, 3)) == MAX_WORD_CHARS + 1
