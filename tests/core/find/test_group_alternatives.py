"""The alternatives for a word count as one term of the query."""

from __future__ import annotations

from datetime import date

from cortexfs.core.find.correct_query import Correction
from cortexfs.core.find.group_alternatives import group_alternatives
from cortexfs.core.find.parse_query import Query, parse_query

TODAY = date(2026, 5, 6)


def _group(typed: str, corrected: str, *corrections: Correction) -> Query:
    query = parse_query(corrected, TODAY)
    return group_alternatives(parse_query(typed, TODAY), query, corrections)


def test_completed_words_are_forms_of_the_word_that_was_typed() -> None:
    found = _group("dra valve", "draw drain valve", Correction("dra", ("draw", "drain")))
    assert found.terms == ("dra", "valv")
    assert found.variants == {"dra": ("draw", "drain")}
    assert found.list_forms("dra") == ("dra", "draw", "drain")


def test_completed_identifiers_are_forms_without_their_parts() -> None:
    completed = ("--sort-by", "--sort-out")
    found = _group("x --sort", f"x --sort {' '.join(completed)}", Correction("--sort", completed))
    assert found.terms == ("x", "sort", "--sort")
    assert found.variants == {"--sort": completed}


def test_a_word_that_was_typed_too_stays_a_term() -> None:
    found = _group("drain dra", "drain draw drain", Correction("dra", ("draw", "drain")))
    assert found.terms == ("drain", "dra")


def test_a_single_correction_is_a_term() -> None:
    found = _group("recevier", "receiver", Correction("recevier", ("receiver",)))
    assert found == parse_query("receiver", TODAY)
