"""What differs between two similar texts: numbers, negation, names. It is shown, never trusted."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from cortexfs.core.find.tokenize import tokenize
from cortexfs.core.text.sanitize import to_one_line

MAX_SHOWN = 4
"""Maximum number of words of each side of a difference that are shown."""
MAX_SHOWN_CHARS = 60
"""Maximum characters of each side."""
NEAR_SHARE = 0.8
"""The share of common words from which the place of a negation is compared."""

_NUMBER_WORDS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10", "twelve": "12",
}  # fmt: skip
"""Without `one`, which is mostly a pronoun."""
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:[.,:/-]\d+)*%?|\d+(?:\.\d+)*")
_NEGATION = re.compile(
    r"\b(?:no|not|never|none|nothing|nobody|neither|nor|without|cannot|unsupported|disabled)\b"
    r"|n['\u2019]t\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_][\w./-]*\w|[^\W_]")
_NAME = re.compile(r".+[A-Z]|.*[^\W\d_]_|.*[a-zA-Z][0-9]")
"""An inner capital, an underscore, a digit after a letter: `PostgreSQL`, `new_checkout`, `S3`."""
_SENTENCE_START = re.compile(r"(?:^|[.!?:;\n])\W*$")
_CHANGE = re.compile(
    r"\b(?:no longer|instead of|switched to|moved (?:it |them )?(?:to|from|off)"
    r"|migrated|replaced|renamed|correction|scratch that|from now on|used to)\b",
    re.IGNORECASE,
)


class TextDifferences(NamedTuple):
    """The differences of two texts, as lines, and what they say about the two."""

    lines: tuple[str, ...]
    is_negated: bool
    is_replaced: bool
    """Whether a number or a name stands for another, or the later text speaks of a change."""


def find_text_differences(earlier: str, later: str) -> TextDifferences:
    """Return what differs in a later text."""
    lines: list[str] = []
    numbers = _compare(_list_numbers(earlier), _list_numbers(later))
    names = _compare(*_list_both_names(earlier, later))
    lines += (_format_change(*sides) for sides in (numbers, names) if any(sides))
    is_negated = _are_opposed(earlier, later)
    if is_negated:
        lines.append("negated")
    if not lines and _has_same_words(earlier, later):
        lines.append("the same words in another order")
    has_change_word = bool(_CHANGE.search(later)) and not _CHANGE.search(earlier)
    return TextDifferences(tuple(lines), is_negated, all(numbers) or all(names) or has_change_word)


def _list_numbers(text: str) -> list[str]:
    found = [number.removeprefix("+") for number in _NUMBER.findall(text)]
    words = re.findall(r"[a-z]+", text.lower())
    return [*found, *(_NUMBER_WORDS[word] for word in words if word in _NUMBER_WORDS)]


def _list_both_names(earlier: str, later: str) -> tuple[list[str], list[str]]:
    """Return the names in each text; a name in one is a name in the other, wherever it stands."""
    known = {*_iter_names(earlier), *_iter_names(later)}
    one, other = (
        [word for word in _WORD.findall(text) if word in known] for text in (earlier, later)
    )
    return one, other


def _iter_names(text: str) -> list[str]:
    return [
        found[0]
        for found in _WORD.finditer(text)
        if _NAME.match(found[0])
        or (found[0][0].isupper() and not _begins_sentence(text, found.start()))
    ]


def _begins_sentence(text: str, start: int) -> bool:
    return bool(_SENTENCE_START.search(text[max(start - 8, 0) : start]))


def _compare(one: list[str], other: list[str]) -> tuple[list[str], list[str]]:
    """Return what only the first has, and what only the second has, as often as they have it."""
    first, second = Counter(one), Counter(other)
    return list((first - second).elements()), list((second - first).elements())


def _format_change(removed: list[str], added: list[str]) -> str:
    return f"{_format_side(removed)} → {_format_side(added)}"


def _format_side(words: list[str]) -> str:
    shown = ", ".join(dict.fromkeys(words[:MAX_SHOWN])) or "(nothing)"
    return to_one_line(shown)[:MAX_SHOWN_CHARS] + (", …" if len(words) > MAX_SHOWN else "")


def _are_opposed(earlier: str, later: str) -> bool:
    """Return whether one text has more negations or, of nearly the same words, denies others."""
    one, other = (_list_denied_words(text) for text in (earlier, later))
    if len(one) != len(other):
        return True
    first, second = (set(tokenize(text).words.split()) for text in (earlier, later))
    is_near = len(first & second) >= NEAR_SHARE * len(first | second)
    return is_near and Counter(one) != Counter(other)


def _list_denied_words(text: str) -> list[str]:
    """Return the word after each negation."""
    ends = (found.end() for found in _NEGATION.finditer(text))
    words = (_WORD.search(text, end) for end in ends)
    return [word[0].lower() if word else "" for word in words]


def _has_same_words(earlier: str, later: str) -> bool:
    one, other = (sorted(tokenize(text).words.split()) for text in (earlier, later))
    return one == other and tokenize(earlier).words != tokenize(later).words
