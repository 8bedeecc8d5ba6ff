"""One error more or less: the edits of a word, and the errors between two words."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.find.edit_distance import count_errors, get_alphabet, list_edits

words = st.text("abcde", max_size=7)


@cache
def _oracle(one: str, other: str) -> int:
    """Count the errors from the end of both words: by the definition, and slowly."""
    if not one or not other:
        return len(one) + len(other)
    costs = [
        _oracle(one[:-1], other) + 1,
        _oracle(one, other[:-1]) + 1,
        _oracle(one[:-1], other[:-1]) + (one[-1] != other[-1]),
    ]
    if one[-2:] == other[-2:][::-1] and len(one) > 1 < len(other):
        costs.append(_oracle(one[:-2], other[:-2]) + 1)
    return min(costs)


@given(words, words)
def test_errors_are_counted_for_each_beginning(one: str, other: str) -> None:
    expected = [_oracle(one, other[:length]) for length in range(len(other) + 1)]
    assert count_errors(one, other) == expected


@given(words, words, st.integers(0, 4))
def test_no_errors_are_counted_if_all_exceed_the_limit(one: str, other: str, limit: int) -> None:
    every = count_errors(one, other)
    assert count_errors(one, other, limit) in (every, [] if min(every) > limit else every)


@given(words)
def test_the_edits_of_a_word_have_one_error(word: str) -> None:
    edits = list_edits(word)
    assert {_oracle(word, edit) for edit in edits} <= {1}
    letters = get_alphabet(word)
    assert {word[:at] + letter + word[at:] for at in range(len(word)) for letter in letters} <= {
        *edits
    }
    assert {word[:at] + word[at + 1 :] for at in range(len(word))} <= {*edits}


@pytest.mark.parametrize(
    ("typed", "right", "is_usual"),
    [
        ("recieve", "receive", True),
        ("comit", "commit", True),
        ("ocurr", "occurr", True),
        ("postgress", "postgres", True),
        ("seperate", "separate", True),
        ("token", "taken", True),
        ("table", "tabla", False),
        ("cost", "most", False),
        ("hash", "has", False),
        ("μνήμη".replace("ή", "η"), "μνημ", False),
        ("памят", "память", True),
    ],
)
def test_errors_that_people_make_are_told_apart(typed: str, right: str, is_usual: bool) -> None:
    assert list_edits(typed)[right] is is_usual


@pytest.mark.parametrize("word", ["向量", "\u043f\u0430мятx", "a1", "สวัสดี"])
def test_a_word_of_no_alphabet_has_no_letters(word: str) -> None:
    assert get_alphabet(word) == ""
