"""The forms of a query's words in the languages of the texts."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from cortexfs.core.find.detect_language import detect_language
from cortexfs.core.find.language_profiles import LANGUAGES
from cortexfs.core.find.tokenize import tokenize
from cortexfs.core.find.unspaced_scripts import is_unspaced_script

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

NO_VARIANTS: Mapping[str, tuple[str, ...]] = MappingProxyType({})
"""The further forms of a query where all texts are in English."""


def list_variants(texts: Iterable[str], languages: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the further forms of each term in the texts, and of each text as a phrase.

    The keys of phrases have their terms separated by blanks.
    """
    forms: dict[str, dict[str, None]] = defaultdict(dict)
    for text in texts:
        phrase = _join_words(text, "")
        for language in languages:
            for term, form in _iter_forms(text, language):
                forms[term][form] = None
            forms[phrase][_join_words(text, language)] = None
    found = {
        key: tuple(each for each in own if each not in {key, ""}) for key, own in forms.items()
    }
    return {key: own for key, own in found.items() if own}


def detect_query_language(texts: Iterable[str], languages: Sequence[str]) -> str:
    """Return which of the languages the words of a query are in; empty if that is not clear.

    Another script than Latin is recognized whatever the languages.
    """
    text = " ".join(texts)
    return detect_language(text, among=languages) if languages or not text.isascii() else ""


@cache
def load_function_words(language: str) -> frozenset[str]:
    """Return the frequent words of a language as terms, which say nothing about a text."""
    known = LANGUAGES.get(language)
    return frozenset(tokenize(known.words).words.split()) if known else frozenset()


def drop_single_letters(words: str) -> list[str]:
    """Return the words without the single letters that end a run of pairs in unspaced scripts."""
    every = words.split()
    return [
        word
        for before, word in zip(["", *every], every, strict=False)
        if len(word) > 1 or not (is_unspaced_script(word) and before[1:] == word)
    ]


def _join_words(text: str, language: str) -> str:
    return " ".join(drop_single_letters(tokenize(text, language).words))


def _iter_forms(text: str, language: str) -> Iterator[tuple[str, str]]:
    """Return each term of a text with its form in a language; identifiers have no other."""
    words, theirs = tokenize(text).words, tokenize(text, language).words
    return zip(words.split(), theirs.split(), strict=False)
