"""Replace the words of a query that no text has; a word whose term is in the index stays."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.correct_terms import (
    MAX_COMPLETED,
    MAX_COMPLETIONS,
    MIN_LETTERS,
    correct_word,
)
from cortexfs.core.find.edit_distance import get_alphabet
from cortexfs.core.find.query_parts import iter_query_parts, parse_phrase
from cortexfs.core.find.stop_words import load_stop_words
from cortexfs.core.find.tokenize import fold_text, is_folded_ref, tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import date

    from cortexfs.core.find.correct_terms import Vocabulary
    from cortexfs.core.find.parse_query import Query
    from cortexfs.core.find.query_parts import QueryPart

MAX_LETTERS = 32
"""Maximum number of letters of a word that is corrected: it has some 60 edits for each letter."""
MAX_WORDS = 4
"""Maximum number of words of a query that are corrected."""
_CHUNK = re.compile(r"(?:[^\W_]|[\u0300-\u036f])+")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_MODEL = re.compile(r"[a-z]+[0-9]\w*")
_HASH = re.compile(r"[a-f]{7,}")


class Correction(NamedTuple):
    """A word or phrase of a query that no text has."""

    typed: str
    searched: tuple[str, ...]
    """The words that were searched in its place; empty if there are only suggestions."""
    others: tuple[str, ...] = ()
    """Further words that it may stand for."""
    is_phrase: bool = False
    """Whether it is a phrase, of which the words were searched."""


class CorrectedQuery(NamedTuple):
    """A query with its unknown words replaced: as text, and parsed."""

    text: str
    query: Query
    corrections: tuple[Correction, ...]


class TypedWord(NamedTuple):
    """A word of letters in a query, as typed."""

    text: str
    start: int
    identifier: str
    """What it is a part of, without blanks."""
    is_in_phrase: bool
    is_last: bool
    """Whether the query ends with it, so that it may be typed by half."""

    @property
    def term(self) -> str:
        """The term of the word."""
        return tokenize(self.text).words

    @property
    def is_alone(self) -> bool:
        """Whether several words can replace it."""
        return self.text == self.identifier and not self.is_in_phrase


def correct_query(
    typed: str,
    query: Query,
    today: date,
    vocabulary: Vocabulary,
    is_word: Callable[[str], bool] = lambda _: False,
) -> tuple[str, tuple[Correction, ...]]:
    """Return a typed query with its unknown words replaced, and the corrections.

    `query` is the same, parsed. Filters, exclusions, single words in quotes, beginnings such as
    `migrat*`, refs, numbers and hashes stay as they are. A word is known if a text has any of its
    forms, or the identifier that it is a part of. What `is_word` is right, and only completed.
    """
    words = [word for word in list_typed_words(typed, today) if word.term in query.all_terms]
    forms = {word: query.list_forms(word.term) for word in words}
    last = _find_last_identifier(typed, today)
    names = {each: _list_names(each) for each in (*(w.identifier for w in words), last)}
    every = {*chain(*forms.values(), *names.values())}
    known = vocabulary.find_terms(every) if every else set()
    found = _complete_identifier(names[last], known, vocabulary)
    left = [
        word
        for word in words
        if known.isdisjoint([*forms[word], *names[word.identifier]])
        and not (found and word.identifier == last)
    ]
    corrected, corrections = _correct_words(typed, left, vocabulary, is_word, is_strict=bool(known))
    if not found:
        return corrected, corrections
    return f"{corrected} {' '.join(found)}", (*corrections, Correction(last, found))


def _list_names(identifier: str) -> list[str]:
    """Return the names of an identifier; one of letters and digits, such as `bmp280`, is a word."""
    words, names = tokenize(identifier)
    return names.split() or (words.split() if _MODEL.fullmatch(words) else [])


def _find_last_identifier(typed: str, today: date) -> str:
    """Return the string that a query ends with, if it may be an identifier typed by half."""
    part = next(reversed([*iter_query_parts(typed, today)]), None)
    if part is None or part.is_quoted or not _is_correctable_part(part):
        return ""
    strings = [string for _, string in _iter_strings(part.text)]
    return strings[-1] if strings and typed.endswith(strings[-1]) else ""


def _complete_identifier(
    names: Sequence[str], known: set[str], vocabulary: Vocabulary
) -> tuple[str, ...]:
    """Return the identifiers that begin with one that is unknown; `names` are its own."""
    if not names or len(names[0].lstrip("-")) < MIN_LETTERS or not known.isdisjoint(names):
        return ()
    begun = vocabulary.list_terms(names[0], MAX_COMPLETED)
    return tuple(vocabulary.count_candidates(begun, MAX_COMPLETIONS))


def _correct_words(
    typed: str,
    unknown: Sequence[TypedWord],
    vocabulary: Vocabulary,
    is_word: Callable[[str], bool],
    *,
    is_strict: bool,
) -> tuple[str, tuple[Correction, ...]]:
    """Return a query with some words replaced, and the corrections."""
    corrections: list[Correction] = []
    for word in reversed(unknown[:MAX_WORDS]):
        folded = fold_text(word.text)
        searched, others = correct_word(
            folded,
            vocabulary,
            is_last=word.is_last,
            is_strict=is_strict,
            is_right=is_word(folded),
        )
        searched = searched if word.is_alone else searched[:1]
        if searched or others:
            corrections.insert(0, Correction(word.text, searched, others))
        if searched:
            end = word.start + len(word.text)
            typed = f"{typed[: word.start]}{_spell_hump(word, searched, typed)}{typed[end:]}"
    return typed, tuple(dict.fromkeys(corrections))


def _spell_hump(word: TypedWord, searched: Sequence[str], typed: str) -> str:
    """Return what replaces a word; after another one with a capital, which separates them."""
    right = " ".join(searched)
    is_hump = word.text[0].isupper() and typed[: word.start][-1:].isalnum()
    return right[0].upper() + right[1:] if is_hump else right


def list_typed_words(typed: str, today: date) -> list[TypedWord]:
    """Return the words of a query that may be corrected, in order."""
    return [
        TypedWord(word, start, identifier, part.is_quoted, start + len(word) == len(typed))
        for part in iter_query_parts(typed, today)
        if _is_correctable_part(part)
        for at, identifier in _iter_strings(part.text)
        for start, word in _iter_letter_words(identifier, part.start + at)
    ]


def _is_correctable_part(part: QueryPart) -> bool:
    """Return whether a part is neither a filter nor excluded, nor meant exactly."""
    if part.only or part.is_excluded:
        return False
    return len(parse_phrase(part.text)) > 1 if part.is_quoted else not part.text.endswith("*")


def _iter_strings(text: str) -> Iterator[tuple[int, str]]:
    """Yield the strings between blanks, and where they begin, without refs."""
    for found in re.finditer(r"\S+", text):
        if not is_folded_ref(fold_text(found[0]).strip("([`'\".,;:!?)]")):
            yield found.start(), found[0]


def _iter_letter_words(text: str, start: int) -> Iterator[tuple[int, str]]:
    """Yield where each word of letters in an identifier begins, and the word."""
    for chunk in _CHUNK.finditer(text):
        at = start + chunk.start()
        if not any(map(str.isdigit, chunk[0])):
            humps = _HUMP.finditer(chunk[0]) if chunk[0].isascii() else ()
            words = [(at + hump.start(), hump[0]) for hump in humps] or [(at, chunk[0])]
            yield from (each for each in words if _is_correctable(fold_text(each[1])))


def _is_correctable(folded: str) -> bool:
    return (
        MIN_LETTERS - 1 <= len(folded) <= MAX_LETTERS
        and bool(get_alphabet(folded))
        and not _HASH.fullmatch(folded)
        and tokenize(folded).words not in load_stop_words()
    )
