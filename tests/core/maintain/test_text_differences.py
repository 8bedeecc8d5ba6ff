"""What differs between similar texts is shown: numbers, names, negation, order."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.maintain.text_differences import find_text_differences

FACTS: list[dict[str, str]] = json.loads((Path(__file__).parent / "similar_facts.json").read_text())


@pytest.mark.parametrize(
    ("earlier", "later", "lines", "is_negated", "is_replaced"),
    [
        ("Retry 3 times.", "Retry 5 times.", ["3 → 5"], False, True),
        ("Tabs are eight columns.", "Tabs are four columns.", ["8 → 4"], False, True),
        ("It is on.", "It is not on.", ["negated"], True, False),
        ("It isn't on.", "It is on.", ["negated"], True, False),
        ("We use MySQL.", "We use PostgreSQL.", ["MySQL → PostgreSQL"], False, True),
        ("Ask Maria.", "Ask Jonas.", ["Maria → Jonas"], False, True),
        ("Retry.", "Retry 3 times.", ["(nothing) → 3"], False, False),
        ("A calls B.", "B calls A.", ["the same words in another order"], False, False),
        ("It is stored here.", "It is kept here.", [], False, False),
        ("It runs here.", "It no longer runs here.", ["negated"], True, True),
        ("It listens here.", "We moved it to there.", [], False, True),
        ("Set it. Then go.", "Then go. Set it.", ["the same words in another order"], False, False),
        ("It does not run and stops.", "It runs and does not stop.", ["negated"], True, False),
    ],
)
def test_differences_are_described(
    earlier: str, later: str, lines: list[str], is_negated: bool, is_replaced: bool
) -> None:
    assert find_text_differences(earlier, later) == (tuple(lines), is_negated, is_replaced)


@pytest.mark.parametrize("change", ["number", "negated", "role"])
def test_of_the_contradicting_facts_hardly_one_looks_like_the_same_fact(change: str) -> None:
    found = [find_text_differences(fact["fact"], fact[change]) for fact in FACTS]
    if change == "negated":
        assert all(each.is_negated for each in found)
    silent = [number for number, each in enumerate(found) if not each.lines]
    assert len(silent) <= {"number": 0, "negated": 0, "role": 8}[change], silent


@given(st.text(), st.text())
def test_no_text_breaks_it_and_a_text_does_not_differ_from_itself(one: str, other: str) -> None:
    find_text_differences(one, other)
    assert find_text_differences(one, one).lines == ()


@pytest.mark.soak
def test_a_long_text_takes_linear_time() -> None:
    text = "A " * 250_000
    start = time.process_time()
    find_text_differences(text, text)
    assert time.process_time() - start < 2.5
