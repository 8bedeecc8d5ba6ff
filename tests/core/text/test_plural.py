"""Numbers with their nouns."""

from __future__ import annotations

import pytest

from cortexfs.core.text.plural import format_count


@pytest.mark.parametrize(
    ("noun", "one", "many"),
    [
        ("note", "1 note", "2 notes"),
        ("index", "1 index", "2 indexes"),
        ("entity", "1 entity", "2 entities"),
        ("day", "1 day", "2 days"),
        ("analysis", "1 analysis", "2 analyses"),
        ("search", "1 search", "2 searches"),
        ("pass", "1 pass", "2 passes"),
        ("knowledge", "1 knowledge atom", "2 knowledge atoms"),
        ("other file", "1 other file", "2 other files"),
    ],
)
def test_a_noun_agrees_with_its_number(noun: str, one: str, many: str) -> None:
    assert [format_count(number, noun) for number in (1, 2, 0)] == [one, many, f"0{many[1:]}"]
