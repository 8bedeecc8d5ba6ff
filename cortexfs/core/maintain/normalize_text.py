"""Normalise a text so that two are equal only if they say the same.

What a difference may mean is kept: code, numbers, signs, brackets, question marks, units.
"""

from __future__ import annotations

import re
import unicodedata

_CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]+`)", re.DOTALL)
_KEPT_FORMS = ("<super>", "<sub>", "<fraction>")
"""Characters of which NFKC would make other numbers: `10²` is not `102`."""
_SAME_CHARS = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | dict.fromkeys("\u2018\u2019\u201a\u2032", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb\u2033", '"')
    | {"\u2026": "..."}
)
_OPENING_QUOTES = re.compile(r"^[\"']+(?=.)")
_CLOSING_MARKS = re.compile(r"(?<=[^\W\d_])['\"]+$|(?<=[\w)\]}%\"'])[.,;:]+$|(?<=[^\W\d_]{2})!+$")
"""A quote after a digit is a unit, a mark after a sign is part of it, and `n!` is a factorial."""
_MARKS_AFTER_CODE = re.compile(r"^[.,;:!]+(?=\s|$)")
_LETTERS = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_DROPPED = frozenset({"'", '"', ",", ";", ":", "''", '""'})
MIN_ACRONYM_CHARS = 3
"""Capitals that are folded: `API` is `api`, but `US` is not `us`."""


def normalize_text(text: str) -> str:
    """Return a text without differences in case, width, quotes, white space and punctuation.

    Code in backticks stays as it is.
    """
    words: list[str] = []
    for position, part in enumerate(_CODE.split(text)):
        if position % 2:
            words.append(part.strip())
        else:
            words += _normalize_prose(_MARKS_AFTER_CODE.sub("", part) if position else part)
    return " ".join(words)


def _normalize_prose(text: str) -> list[str]:
    plain = _normalize_characters(text).translate(_SAME_CHARS)
    if not any(map(str.islower, plain)):  # a text in capitals
        plain = plain.lower()
    words: list[str] = []
    for typed in plain.split():
        word = _strip_marks(typed)
        if word and word not in _DROPPED:
            follows_number = bool(words) and words[-1][-1].isdigit()
            words.append(word if follows_number else _fold_case(word))
    return words


def _normalize_characters(text: str) -> str:
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFC", text)
    folded = (
        char
        if unicodedata.decomposition(char).startswith(_KEPT_FORMS)
        else unicodedata.normalize("NFKC", char)
        for char in composed
    )
    return unicodedata.normalize("NFC", "".join(folded))


def _strip_marks(word: str) -> str:
    """Return a word without quotes around it, and without the punctuation that ends it."""
    word = _OPENING_QUOTES.sub("", word)
    while (shorter := _CLOSING_MARKS.sub("", word)) != word:
        word = shorter
    return word


def _fold_case(word: str) -> str:
    """Return a word of letters in lower case; `handleSave`, `-D`, `MB` and `x` stay as they are."""
    if not _LETTERS.fullmatch(word):
        return word
    return re.sub(r"[^'-]+", lambda part: _fold_part(part[0]), word)


def _fold_part(part: str) -> str:
    if part.isupper() and len(part) < MIN_ACRONYM_CHARS:
        return part.lower() if part == "A" else part
    is_plain = part[1:].islower() or part.isupper() or len(part) == 1
    return part.lower() if is_plain else part
