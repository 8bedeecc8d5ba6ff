"""Topic keys are stable, bounded, and suggested from what a memory is about."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.memory.topic_key import (
    MAX_KEY_CHARS,
    choose_topic_family,
    normalize_topic_key,
    suggest_topic_key,
)


@pytest.mark.parametrize(
    ("memory_type", "title", "content", "expected"),
    [
        ("Architecture", "  Auth Model  ", "ignored", "architecture/auth-model"),
        (
            "bugfix",
            "",
            "Fix nil panic in auth middleware on empty token",
            "bug/fix-nil-panic-in-auth-middleware-on-empty",
        ),
        (
            "manual",
            "",
            "Fix regression in auth login flow",
            "bug/fix-regression-in-auth-login-flow",
        ),
        (
            "",
            "ADR: Split API gateway boundary",
            "",
            "architecture/adr-split-api-gateway-boundary",
        ),
        ("manual", "", "", "topic/general"),
        ("bug", "Bug: token is nil", "", "bug/token-is-nil"),
        ("decision", "Decision", "", "decision/general"),
        ("session_summary", "Session summary: flywheel", "", "session/summary-flywheel"),
    ],
)
def test_a_key_is_suggested_from_type_title_and_content(
    memory_type: str, title: str, content: str, expected: str
) -> None:
    assert suggest_topic_key(memory_type, title, content) == expected


@pytest.mark.parametrize(
    ("memory_type", "expected"),
    [
        ("Custom Type", "custom-type"),
        ("manual", "topic"),
        ("", "topic"),
        (" ADR ", "architecture"),
        ("refactor", "architecture"),
        ("hotfix", "bug"),
        ("convention", "pattern"),
        ("ci", "config"),
        ("root_cause", "discovery"),
        ("learn", "learning"),
        ("session_summary", "session"),
        ("!?", "topic"),
    ],
)
def test_a_type_has_a_family(memory_type: str, expected: str) -> None:
    assert choose_topic_family(memory_type) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the crash was fixed by design", "bug"),
        ("design of the decision table", "architecture"),
        ("we chose a naming pattern", "decision"),
        ("naming of env", "pattern"),
        ("DATABASE_ENV was found", "config"),
        ("the root cause, learned late", "discovery"),
        ("lessons learned", "learning"),
        ("prefix trees in the inventory of a ladder", "topic"),
    ],
)
def test_without_a_type_whole_words_decide_in_order(text: str, expected: str) -> None:
    assert choose_topic_family("manual", text) == expected
    assert choose_topic_family("", "", text) == expected


def test_titles_in_other_scripts_do_not_share_one_key() -> None:
    first, second = (suggest_topic_key("bug", title, "") for title in ("Ошибка входа", "登录失败"))
    assert (first, second) == ("bug/ошибка-входа", "bug/登录失败")


def test_a_private_part_is_not_in_a_suggested_key() -> None:
    assert suggest_topic_key("bug", "<private>acme</private> login", "") == "bug/login"
    assert suggest_topic_key("bug", "", "Login of <private>acme") == "bug/login-of"


def test_a_key_is_lower_case_without_white_space() -> None:
    assert normalize_topic_key("  Architecture/Auth \t Model\n") == "architecture/auth-model"


def test_a_long_key_is_cut_between_characters() -> None:
    key = normalize_topic_key("é" * 500)
    assert key == "é" * MAX_KEY_CHARS
    assert key.encode().decode() == key


@given(st.text(), st.text(), st.text())
def test_a_suggested_key_is_stored_as_it_is(memory_type: str, title: str, content: str) -> None:
    key = suggest_topic_key(memory_type, title, content)
    family, _, segment = key.partition("/")
    assert family
    assert segment
    assert len(segment) <= 100
    stored = normalize_topic_key(key)
    assert normalize_topic_key(stored) == stored
    assert len(stored) <= MAX_KEY_CHARS
    assert len(stored.split()) == 1


@pytest.mark.parametrize("piece", ["a", "a ", " ", "<private>", "root ", "é", "\n", "bugx "])
def test_hostile_text_takes_linear_time(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    began = time.process_time()
    suggest_topic_key(text, text, text)
    suggest_topic_key("manual", "", text)
    normalize_topic_key(text)
    assert time.process_time() - began < 1
