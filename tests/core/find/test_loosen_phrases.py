"""Of a pasted message with quotes, the phrases that no text has are searched as words."""

from __future__ import annotations

from datetime import date

import pytest

from cortexfs.core.find.correct_query import Correction
from cortexfs.core.find.loosen_phrases import loosen_phrases
from cortexfs.core.find.parse_query import parse_query

TODAY = date(2026, 5, 6)
PASTED = 'constraint "Orders_number" of "slow drift" -"old valve"'


def test_the_words_of_an_unknown_phrase_are_searched() -> None:
    query = parse_query(PASTED, TODAY)
    loosened, corrections = loosen_phrases(PASTED, query, TODAY, ("slow", "drift").__eq__)
    assert loosened.terms == ("constraint", "order", "number")
    assert loosened.phrases == (("slow", "drift"),)
    assert loosened.excluded == query.excluded
    assert corrections == (Correction("Orders_number", ("orders", "number"), is_phrase=True),)


@pytest.mark.parametrize("typed", ['"slow drift"', '"slow drift" "old valve"', "slow drift", ""])
def test_a_query_without_other_words_keeps_its_phrases(typed: str) -> None:
    query = parse_query(typed, TODAY)
    assert loosen_phrases(typed, query, TODAY, lambda _: False) == (query, ())
