"""A wish is what a person asks for; a word such as `no` alone is none."""

from __future__ import annotations

import pytest

from cortexfs.core.patterns.habit import HabitKind
from cortexfs.core.patterns.user_wishes import Wish, parse_wish


def wish(sentence: str, recent: frozenset[str] | None = frozenset()) -> Wish:
    found = parse_wish(sentence, recent)
    assert found, sentence
    return found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Always run the tests with uv.", "please always run tests with uv"),
        ("use uv", "From now on, use uv!"),
        ("Don't use pip", "never use pip."),
        ("don't use pip", "No, stop using pip"),
        ("avoid mocks", "do not use mocks"),
        ("No, use uv for this", "use uv"),
        ("No, use uv but not poetry", "use uv but not poetry"),
        ("Don't forget to update the changelog", "remember to update the changelog"),
    ],
)
def test_wordings_of_one_instruction_are_equal(one: str, other: str) -> None:
    assert wish(one) == wish(other)
    assert wish(one).habit.kind is HabitKind.INSTRUCTION


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("use uv instead of pip", "use pip instead of uv"),
        ("always mock the clock", "never mock the clock"),
        ("use python 3.11", "use python 3.12"),
    ],
)
def test_opposite_instructions_are_not(one: str, other: str) -> None:
    assert wish(one).habit != wish(other).habit


@pytest.mark.parametrize(
    "sentence",
    [
        "No",
        "No problem, go on",
        "no worries about the tests",
        "Actually",
        "I don't know why it fails",
        "Don't worry about the changelog",
        "Never mind",
        "don't you think the parser is slow?",
        "why does it always fail?",
        "It always fails on Mondays",
        "use case diagrams are in the folder",
        "run the tests",
        "stop the server",
        "add a test for the parser",
    ],
)
def test_what_is_no_wish(sentence: str) -> None:
    assert parse_wish(sentence, frozenset()) is None


@pytest.mark.parametrize(
    ("sentence", "recent"),
    [
        ("No, that's not what I asked for in the parser", set()),
        ("You just removed the license header", set()),
        ("Wrong: store.py needs the old signature", {"store.py", "store"}),
        ("revert that change of the parser", set()),
        ("I told you the fixtures are generated", set()),
    ],
)
def test_a_correction_refers_to_what_the_agent_did(sentence: str, recent: set[str]) -> None:
    found = wish(sentence, frozenset(recent))
    assert (found.habit.kind, found.is_certain) == (HabitKind.CORRECTION, True)


@pytest.mark.parametrize(
    "sentence",
    [
        "Actually, the second parser looks nicer",
        "no, the parser comes first",
        "wait, there is another parser below",
    ],
)
def test_a_leading_no_or_actually_alone_is_not_certain(sentence: str) -> None:
    assert not wish(sentence, frozenset({"store.py"})).is_certain


def test_the_first_prompt_corrects_nothing() -> None:
    assert parse_wish("No, you removed the license header", None) is None
