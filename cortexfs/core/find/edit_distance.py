"""Words that differ by one error, and the number of errors between two words.

An error is a letter too many, a missing letter, a wrong letter, or two letters in reverse order.
"""

from __future__ import annotations

import sys

ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz",
    "αβγδεζηθικλμνξοπρστυφχψω",
    "абвгдежзиклмнопрстуфхцчшщъыьэюяєіґ",
)
"""The folded letters of Latin, Greek and Cyrillic."""
_VOWELS = "aeiou"
_EXTRA_LATIN = frozenset("æøœđłßðþıħŋ")
"""Further Latin letters, which are tried only for a word that has one."""


def get_alphabet(word: str) -> str:
    """Return the letters for errors in a folded word; empty if it is of no alphabet, or of two."""
    letters = set(word)
    extra = letters & _EXTRA_LATIN
    for alphabet in ALPHABETS:
        if letters - extra <= set(alphabet):
            return alphabet + "".join(sorted(extra))
    return ""


def list_edits(word: str) -> dict[str, bool]:
    """Return the words with one error less, each with whether the error is one that people make.

    Those are two letters in reverse order, a missing letter, a doubled one, and a wrong vowel
    before the end. Of others there are many more, and most lead to another right word.
    """
    letters = get_alphabet(word)
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    usual = [a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1]
    usual += [a + letter + b for a, b in cuts for letter in letters]
    usual += [a + b[1:] for a, b in cuts if b[1:] and b[0] == b[1]]
    usual += [a + v + b[1:] for a, b in cuts if b[1:] and b[0] in _VOWELS for v in _VOWELS]
    others = [a + b[1:] for a, b in cuts if b]
    others += [a + letter + b[1:] for a, b in cuts if b for letter in letters]
    edits = dict.fromkeys(others, False) | dict.fromkeys(usual, True)
    edits.pop(word, None)
    return edits


def count_errors(word: str, other: str, limit: int = sys.maxsize) -> list[int]:
    """Return the errors between a word and each beginning of another, from the empty one on.

    Empty if all have more than `limit`.
    """
    rows = [list(range(len(other) + 1))]
    for at, letter in enumerate(word, start=1):
        above, row = rows[-1], [at]
        for column, beside in enumerate(other, start=1):
            cost = min(row[-1] + 1, above[column] + 1, above[column - 1] + (letter != beside))
            if at > 1 < column and letter == other[column - 2] and beside == word[at - 2]:
                cost = min(cost, rows[-2][column - 2] + 1)
            row.append(cost)
        rows.append(row)
        if min(row) > limit and min(above) > limit:  # two letters in reverse order skip a row
            return []
    return rows[-1]
