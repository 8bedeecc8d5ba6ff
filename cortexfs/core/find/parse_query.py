"""Parse a typed query; no input is an error."""

from __future__ import annotations

import re
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.find.identifier_parts import find_option
from cortexfs.core.find.query_forms import (
    NO_VARIANTS,
    detect_query_language,
    drop_single_letters,
    list_variants,
    load_function_words,
)
from cortexfs.core.find.query_parts import (
    MAX_QUERY_CHARS,
    MAX_QUERY_TERMS,
    iter_query_parts,
    parse_phrase,
)
from cortexfs.core.find.stop_words import load_stop_words
from cortexfs.core.find.tokenize import (
    fold_text,
    is_folded_ref,
    split_words,
    tokenize,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from cortexfs.core.find.query_parts import QueryPart

    Phrase = tuple[str, ...]
    """The terms of a phrase in order."""

_ItemT = TypeVar("_ItemT")

_PREFIX = re.compile(r"\w{3,64}\*")


NO_OPTIONS: Mapping[tuple[str, ...], tuple[str, ...]] = MappingProxyType({})
"""The options of a query without exclusions."""


class Query(NamedTuple):
    """A parsed query: any of `terms`, all of `phrases`, none of `excluded`."""

    terms: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    excluded: tuple[tuple[str, ...], ...] = ()
    filters: AtomFilter = AtomFilter()
    refs_or_paths: tuple[str, ...] = ()
    """Words that may be the ref of an atom as `list` prints it, or its path; it is ranked first."""
    variants: Mapping[str, tuple[str, ...]] = NO_VARIANTS
    """Further forms of a term, or of a phrase with blanks between its words; a text with one of
    them has the term. They are stems in other languages than English, and compounds."""
    languages: tuple[str, ...] = ()
    """The languages of these forms."""
    language: str = ""
    """The language of the query, if it is clear; empty if not, as that of a single word."""
    options: Mapping[tuple[str, ...], tuple[str, ...]] = NO_OPTIONS
    """The options of programs that an exclusion may be, such as `-xzf`: it does not exclude a text
    with one of them."""
    is_shortened: bool = False
    """Whether it is so long that only its first and its last terms are searched."""
    only_ref: str = ""
    """The full ref that is all that is sought; empty if other words, or none, are."""

    @property
    def all_terms(self) -> tuple[str, ...]:
        """The terms, including those of the phrases, each once."""
        return tuple(dict.fromkeys([*self.terms, *(word for one in self.phrases for word in one)]))

    @property
    def all_forms(self) -> tuple[str, ...]:
        """The terms, as in `all_terms`, and their further forms, each once."""
        if not self.variants:
            return self.all_terms
        forms = [form for term in self.all_terms for form in self.list_forms(term)]
        forms += [
            word for one in self.phrases for form in self.list_forms(*one) for word in form.split()
        ]
        return tuple(dict.fromkeys(forms))

    def list_forms(self, *words: str) -> tuple[str, ...]:
        """Return the forms of a term or a phrase: itself first, words separated by blanks."""
        text = " ".join(words)
        return (text, *self.variants.get(text, ()))


def parse_query(typed: str, today: date, languages: Sequence[str] = ()) -> Query:
    """Return the query in a text: words, "phrases", -exclusions, and filters, also with a `-`.

    `migrat*` also finds words that begin with it. A minus excludes if it is at the beginning or
    after a blank, and before a quote or a word of several letters: `--flag`, `-v`, `-march=native`
    and `-9` are words. Texts in which the word has the minus too, as `-Wall`, are not excluded.

    Filters are `tag:`, `kind:`, `status:`, `project:`, `since:` and `until:`, with one or several
    comma-separated values, and `entity:` with one. Text that only resembles a filter
    (`since:soon`, `std:vector`) is words. `languages` are those of the texts besides English.
    """
    parts = [*iter_query_parts(typed, today)]
    texts = [part.text for part in parts if not part.only]
    wanted = [part for part in parts if not (part.only or part.is_excluded)]
    unwanted = [part for part in parts if part.is_excluded and not part.only]
    plain = [part for part in wanted if not part.is_phrase]
    language = detect_query_language(texts, languages)
    typed_terms = [term for part in plain for term in _list_terms(part)]
    terms = _drop_stop_words(typed_terms, language)
    return Query(
        _limit_terms(terms, typed_terms),
        _limit(parse_phrase(part.text) for part in wanted if part.is_phrase),
        _limit(filter(None, (parse_phrase(part.text) for part in unwanted))),
        _combine_filters(parts),
        _limit(name for part in plain for name in _list_refs_or_paths(part.text)),
        list_variants(texts, languages) if languages else NO_VARIANTS,
        tuple(languages),
        language,
        dict(_limit(_iter_options(unwanted))) or NO_OPTIONS,
        is_shortened=len(terms) > MAX_QUERY_TERMS or len(typed) > MAX_QUERY_CHARS,
        only_ref=_find_only_ref([part for part in parts if not part.only]),
    )


def _combine_filters(parts: Iterable[QueryPart]) -> AtomFilter:
    """Return the first of the filters as one: the time of a search grows with their number."""
    filters = (
        AtomFilter(excluded=(part.only,)) if part.is_excluded else part.only
        for part in parts
        if part.only
    )
    combined = AtomFilter()
    for found in _limit(dict.fromkeys(filters)):
        combined = combined.combine(found)
    return combined._replace(tags=_limit(combined.tags))


def _iter_options(unwanted: Iterable[QueryPart]) -> Iterator[tuple[Phrase, tuple[str, ...]]]:
    """Yield the exclusions that may be options of programs, each with the option."""
    for part in unwanted:
        if option := "" if part.is_quoted else find_option(f"-{part.text}"):
            yield parse_phrase(part.text), (option,)


def _limit(items: Iterable[_ItemT]) -> tuple[_ItemT, ...]:
    return tuple(islice(items, MAX_QUERY_TERMS))


def _list_terms(part: QueryPart) -> list[str]:
    """Return the terms and the names in a part, and its prefix if it is `migrat*`."""
    text = f"-{part.text}" if part.has_minus else part.text
    read = map(tokenize, split_words(text))
    prefix = _PREFIX.fullmatch(fold_text(text))
    return [
        *(term for words, names in read for term in (*drop_single_letters(words), *names.split())),
        *([prefix[0]] if prefix else []),
        *filter(None, map(find_option, text.split())),
    ]


def _list_refs_or_paths(text: str) -> list[str]:
    """Return the text if it may be a ref or a path, without line number and punctuation."""
    name = text.lstrip("([`'").removeprefix("./").partition(":")[0].rstrip(".,;!?)]`'")
    return [name] if "/" in name or is_folded_ref(fold_text(name)) else []


def _find_only_ref(parts: Sequence[QueryPart]) -> str:
    """Return the full ref that these parts of a query are; empty if they are anything else."""
    if len(parts) != 1 or parts[0].is_phrase or parts[0].is_excluded:
        return ""
    names = _list_refs_or_paths(parts[0].text)
    return next((name for name in names if "/" in name and is_folded_ref(fold_text(name))), "")


def _drop_stop_words(terms: list[str], language: str) -> list[str]:
    """Return the terms without stop words, or all of them if there are no others."""
    every = dict.fromkeys(terms)
    stops, function_words = load_stop_words(), load_function_words(language)
    significant = [term for term in every if term not in stops and term not in function_words]
    return significant or list(every)


def _limit_terms(chosen: list[str], terms: list[str]) -> tuple[str, ...]:
    """Return the first and the last of too many terms; `terms` has them with repetitions."""
    if len(chosen) <= MAX_QUERY_TERMS:
        return tuple(chosen)
    kept = {*chosen}
    last_first = [term for term in dict.fromkeys(reversed(terms)) if term in kept]
    half = MAX_QUERY_TERMS // 2
    return tuple(dict.fromkeys([*chosen[:half], *reversed(last_first[:half])]))
