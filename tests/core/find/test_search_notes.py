"""The lines about corrected words and excluded matches."""

from __future__ import annotations

import pytest

from cortexfs.core.find.correct_query import Correction
from cortexfs.core.find.search_notes import (
    ExcludedMatches,
    SearchNotes,
    format_notes,
    spell_corrections,
)
from cortexfs.core.find.snippet import Snippet


@pytest.mark.parametrize(
    ("correction", "line"),
    [
        (Correction("tokne", ("token",)), 'no text has the word "tokne"; searched for "token"'),
        (
            Correction("autov", ("autovacuum", "autovalue", "autoview")),
            'no text has the word "autov"; searched for "autovacuum", "autovalue" and "autoview"',
        ),
        (
            Correction("stuck", ("stack",), ("stock",)),
            'no text has the word "stuck"; searched for "stack"; did you mean "stock"?',
        ),
        (
            Correction("moutani", (), ("mountain", "fountain")),
            'no text has the word "moutani"; did you mean "mountain" or "fountain"?',
        ),
    ],
)
def test_a_correction_is_one_line(correction: Correction, line: str) -> None:
    assert format_notes(SearchNotes((correction,))) == [line]


@pytest.mark.parametrize(
    ("excluded", "line"),
    [
        (
            ExcludedMatches("drift", False, 2),  # noqa: FBT003 - a row of a table
            '-drift excludes 2 matches; to search for the word, quote it: "drift"',
        ),
        (ExcludedMatches("slow drift", True, 1), '-"slow drift" excludes 1 match'),  # noqa: FBT003
    ],
)
def test_an_exclusion_is_one_line(excluded: ExcludedMatches, line: str) -> None:
    assert format_notes(SearchNotes((), (excluded,))) == [line]


def test_without_notes_there_is_no_line() -> None:
    assert format_notes(SearchNotes()) == []


def test_searched_words_are_spelled_as_the_snippets_have_them() -> None:
    snippet = Snippet("The Configuration of it", ((4, 17),))
    searched = ("configur", "other")
    corrections = spell_corrections([Correction("configu", searched)], [snippet])
    assert corrections == (Correction("configu", ("configuration", "other")),)


def test_a_word_that_the_snippets_have_stays() -> None:
    snippet = Snippet("runs and running", ((0, 4), (9, 16)))
    corrections = spell_corrections([Correction("runing", ("running",))], [snippet])
    assert corrections == (Correction("runing", ("running",)),)


def test_many_phrases_of_a_pasted_message_are_one_note() -> None:
    words = (Correction("tokne", ("token",)),)
    phrases = tuple(Correction(f"File {n}", ("file",), is_phrase=True) for n in range(3))
    few, many = format_notes(SearchNotes((*words, *phrases[:2]))), SearchNotes((*words, *phrases))
    assert len(few) == 3
    assert format_notes(many)[1:] == ["no text has 3 of the phrases; searched for their words"]


def test_a_shortened_query_is_noted() -> None:
    (line,) = format_notes(SearchNotes(is_shortened=True))
    assert line == "the query is long; searched for its first and last words"
