"""Replace the words of a query that no text has; a word whose term is in the index stays."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.correct_terms import MAX_COMPLETIONS, MIN_LETTERS, correct_word
from cortexfs.core.find.edit_distance import get_alphabet
from cortexfs.core.find.parse_query import iter_query_parts, parse_phrase
from cortexfs.core.find.query_forms import load_function_words
from cortexfs.core.find.stop_words import load_stop_words
from cortexfs.core.find.tokenize import fold_text, is_folded_ref, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from cortexfs.core.find.correct_terms import Vocabulary
    from cortexfs.core.find.parse_query import QueryPart

MAX_LETTERS = 32
"""Maximum number of letters of a word that is corrected: it has some 60 edits for each letter."""
MAX_WORDS = 4
"""Maximum number of words of a query that are corrected."""
_CHUNK = re.compile(r"(?:[^\W_]|[\u0300-\u036f])+")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_HASH = re.compile(r"[a-f]{7,}")


class Correction(NamedTuple):
    """A word of a query that no text has."""

    typed: str
    searched: tuple[str, ...]
    """The words that were searched in its place; empty if there are only suggestions."""
    others: tuple[str, ...] = ()
    """Further words that it may stand for."""


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
    def is_alone(self) -> bool:
        """Whether several words can replace it."""
        return self.text == self.identifier and not self.is_in_phrase


def correct_query(
    typed: str, today: date, vocabulary: Vocabulary, languages: Sequence[str] = ()
) -> tuple[str, tuple[Correction, ...]]:
    """Return a query with its unknown words replaced, and the corrections.

    Filters, exclusions, single words in quotes, beginnings such as `migrat*`, refs, numbers and
    hashes stay as they are. A word is known if a text has any of its forms in the languages of the
    texts besides English; the function words of these languages are known.
    """
    terms = _list_forms(list_typed_words(typed, today), languages)
    words = list(terms)
    names = {word: tokenize(word.identifier).names.split() for word in words}
    every = {*chain(*terms.values()), *chain(*names.values())}
    known = vocabulary.find_terms(every) if words else set()
    unknown = [word for word in words if known.isdisjoint(names[word])]
    completed = _complete_identifier(unknown, vocabulary) if unknown else None
    left = [
        word
        for word in unknown
        if known.isdisjoint(terms[word]) and not (completed and word.identifier == completed.typed)
    ]
    corrected, corrections = _correct_words(typed, left, vocabulary, is_strict=bool(known))
    if completed is None:
        return corrected, corrections
    return f"{corrected} {' '.join(completed.searched)}", (*corrections, completed)


def _list_forms(words: Iterable[TypedWord], languages: Sequence[str]) -> dict[TypedWord, set[str]]:
    """Return the terms of each word in English and other languages, without function words."""
    known = frozenset(word for code in languages for word in load_function_words(code))
    return {
        word: {tokenize(word.text, code).words for code in ("", *languages)}
        for word in words
        if tokenize(word.text).words not in known
    }


def _complete_identifier(unknown: Sequence[TypedWord], vocabulary: Vocabulary) -> Correction | None:
    """Return the identifiers that begin with the last one of a query, if it is one."""
    name, _, _ = tokenize(unknown[-1].identifier).names.partition(" ")
    if not name or not unknown[-1].is_last:
        return None
    found = vocabulary.complete_term(name, MAX_COMPLETIONS)
    return Correction(unknown[-1].identifier, tuple(found)) if found else None


def _correct_words(
    typed: str, unknown: Sequence[TypedWord], vocabulary: Vocabulary, *, is_strict: bool
) -> tuple[str, tuple[Correction, ...]]:
    """Return a query with some words replaced, and the corrections."""
    corrections: list[Correction] = []
    for word in reversed(unknown[:MAX_WORDS]):
        folded = fold_text(word.text)
        searched, others = correct_word(
            folded, vocabulary, is_last=word.is_last, is_strict=is_strict
        )
        searched = searched if word.is_alone else searched[:1]
        if searched or others:
            corrections.insert(0, Correction(word.text, searched, others))
        if searched:
            end = word.start + len(word.text)
            typed = f"{typed[: word.start]}{' '.join(searched)}{typed[end:]}"
    return typed, tuple(dict.fromkeys(corrections))


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
