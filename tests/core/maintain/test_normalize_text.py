"""Texts are equal after normalising only if they say the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.maintain.normalize_text import normalize_text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs.", "use  tabs"),
        ("USE TABS IN MAKEFILES!", "Use tabs in Makefiles"),
        ("The API listens, always.", "the api listens always"),
        ("It's \u201cquoted\u201d; really.", 'It\u2019s "quoted", really'),
        ("\ufb01rst \uff4c\uff49\uff4e\uff45", "first line"),
        ("Retry\n\nthree\ttimes", "Retry three times"),
        ("A set \u2013 of two", "a set - of two"),
        ("Run `make test`.", "run `make test`"),
        ("Keep-Alive is on", "keep-alive is on!"),
        ("caf\u00e9", "cafe\u0301"),
        ("5 seconds, then stop", "5 seconds then stop."),
    ],
)
def test_case_width_space_and_punctuation_do_not_matter(one: str, other: str) -> None:
    assert normalize_text(one) == normalize_text(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The timeout is 5", "The timeout is -5"),
        ("Version 1.5", "Version 15"),
        ("Use 10\u00b2 cells", "Use 102 cells"),
        ("Add \u00bd cup", "Add 1/2 cup"),
        ("a < b", "a > b"),
        ("a == b", "a != b"),
        ("Uses Redis.", "Uses Redis?"),
        ("`git branch -d`", "`git branch -D`"),
        ("git branch -d", "git branch -D"),
        ("It takes 5 MB", "It takes 5 Mb"),
        ("5' long", '5" long'),
        ("[1, 5)", "(1, 5]"),
        ("git add .", "git add"),
        ("read .env", "read env"),
        ("call handleSave", "call HandleSave"),
        ("n!", "n"),
        ("Ship to US", "Ship to us"),
        ("Do it", "Do not do it"),
        ("```\nif a:\n  b\nc\n```", "```\nif a:\n  b\n  c\n```"),
        ("C++ only", "C only"),
        ("x is X", "x is x"),
        ("100 %", "100"),
    ],
)
def test_what_may_change_the_meaning_matters(one: str, other: str) -> None:
    assert normalize_text(one) != normalize_text(other)


@given(st.text())
def test_normalising_twice_changes_nothing_and_never_fails(text: str) -> None:
    once = normalize_text(text)
    assert " ".join(once.split()) == once or "`" in text
    assert normalize_text(once) == once or "`" in text
