"""Parse a typed query; no input is an error."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.atom_filter import AtomFilter, parse_since, parse_until, split_values
from cortexfs.core.find.identifier_parts import find_option
from cortexfs.core.find.query_forms import (
    NO_VARIANTS,
    detect_query_language,
    drop_single_letters,
    list_variants,
    load_function_words,
)
from cortexfs.core.find.stop_words import load_stop_words
from cortexfs.core.find.tokenize import (
    fold_text,
    is_folded_ref,
    split_words,
    tokenize,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

MAX_QUERY_CHARS = 4000
"""Maximum characters of a query; of a longer text only the beginning and the end are used."""
MAX_QUERY_TERMS = 32
"""Maximum number of terms, of phrases, and of exclusions; of more terms the first and the last.

What a pasted stack trace is about stands in its first line, or in the last.
"""

_PREFIX = re.compile(r"\w{3,64}\*")
_PART = re.compile(r'((?<!\S)-(?=["\w]))?(?:([A-Za-z]+):)?(?:"([^"]*)"?|(\S+))')
_OPTION = re.compile(r"[A-Za-z]|[^=]*=.*")
"""What a minus before it makes an option of a program: `-v`, `-march=native`."""


NO_OPTIONS: Mapping[tuple[str, ...], tuple[str, ...]] = MappingProxyType({})
"""The options of a query without exclusions."""


class QueryPart(NamedTuple):
    """A part of a query as typed: a word or identifier, or what is in quotes."""

    text: str
    start: int
    """Where the text begins in the query."""
    is_quoted: bool
    is_excluded: bool
    has_minus: bool
    only: AtomFilter | None
    """The filter that the part is, if it is one."""


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
    texts: list[str] = []
    terms: list[str] = []
    phrases: list[tuple[str, ...]] = []
    excluded: list[tuple[str, ...]] = []
    refs_or_paths: list[str] = []
    options: dict[tuple[str, ...], tuple[str, ...]] = {}
    filters = AtomFilter()
    for part in iter_query_parts(typed, today):
        if part.only:
            found = AtomFilter(excluded=(part.only,)) if part.is_excluded else part.only
            filters = filters.combine(found)
            continue
        texts.append(part.text)
        phrase = parse_phrase(part.text)
        if part.is_excluded:
            excluded += [phrase] if phrase else []
            if option := "" if part.is_quoted else find_option(f"-{part.text}"):
                options[phrase] = (option,)
        elif part.is_quoted and len(phrase) > 1:
            phrases.append(phrase)
        else:
            terms += _list_terms(f"-{part.text}" if part.has_minus else part.text)
            refs_or_paths += _list_refs_or_paths(part.text)
    language = detect_query_language(texts, languages)
    return Query(
        _drop_stop_words(terms, language),
        tuple(phrases[:MAX_QUERY_TERMS]),
        tuple(excluded[:MAX_QUERY_TERMS]),
        filters,
        tuple(refs_or_paths[:MAX_QUERY_TERMS]),
        list_variants(texts, languages) if languages else NO_VARIANTS,
        tuple(languages),
        language,
        dict([*options.items()][:MAX_QUERY_TERMS]) or NO_OPTIONS,
    )


def iter_query_parts(typed: str, today: date) -> Iterator[QueryPart]:
    """Yield the parts of a query in order."""
    for found in _PART.finditer(shorten_query(typed)):
        minus, key, quoted, plain = (group or "" for group in found.groups())
        only = _parse_filter(key, quoted or plain, today)
        text = quoted or (f"{key}:{plain}" if key else plain)
        start = found.start(3) if quoted else found.start(2 if key else 4)
        is_excluded = bool(minus) and (bool(only or quoted) or _is_exclusion(text))
        yield QueryPart(text, start, bool(quoted), is_excluded, bool(minus), only)


def list_exclusions(typed: str, today: date) -> list[QueryPart]:
    """Return the words and phrases that a query excludes; filters are not among them."""
    return [part for part in iter_query_parts(typed, today) if part.is_excluded and not part.only]


def strip_operators(typed: str, today: date) -> str:
    """Return the query as typed, without filters and exclusions."""
    parts = iter_query_parts(typed, today)
    return " ".join(part.text for part in parts if not part.only and not part.is_excluded)


def _is_exclusion(text: str) -> bool:
    """Return whether a minus before a word excludes it: else it is an option, such as `-v`."""
    return text[:1].isalpha() and not _OPTION.fullmatch(text)


def shorten_query(typed: str) -> str:
    """Return the beginning and the end of a text of more than `MAX_QUERY_CHARS` characters.

    It is cut at blanks if possible.
    """
    if len(typed) <= MAX_QUERY_CHARS:
        return typed
    half = MAX_QUERY_CHARS // 2 - 1
    beginning, end = typed[:half], typed[-half:]
    whole, rest = re.match(r"(?s).*\S(?=\s)", beginning), re.search(r"(?s)\s.*", end)
    return f"{whole[0] if whole else beginning} {rest[0] if rest else end}"


def _parse_filter(key: str, value: str, today: date) -> AtomFilter | None:
    """Return the filter `key:value`; None if it is not a filter."""
    if not key:
        return None
    values = tuple(map(fold_text, split_values([value])))
    filters = {
        "entity": AtomFilter(entities=(value.strip(),) if value.strip() else ()),
        "kind": AtomFilter(kinds=values),
        "project": AtomFilter(projects=values),
        "status": AtomFilter(statuses=values),
        "tag": AtomFilter(tags=values),
        "since": AtomFilter(since=parse_since(value, today)),
        "until": AtomFilter(until=parse_until(value, today)),
    }
    found = filters.get(key.lower())
    return found if found != AtomFilter() else None


def _list_terms(text: str) -> list[str]:
    """Return the terms and the names in a text, and its prefix if it is `migrat*`."""
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


def parse_phrase(text: str) -> tuple[str, ...]:
    """Return the terms of a text in order, as they are next to each other in the index."""
    return tuple(drop_single_letters(tokenize(text).words)[:MAX_QUERY_TERMS])


def _drop_stop_words(terms: list[str], language: str) -> tuple[str, ...]:
    """Return the terms without stop words, or all of them if there are no others."""
    every = dict.fromkeys(terms)
    dropped = load_stop_words() | load_function_words(language)
    significant = [term for term in every if term not in dropped]
    return _limit_terms(significant or list(every), terms)


def _limit_terms(chosen: list[str], terms: list[str]) -> tuple[str, ...]:
    """Return the first and the last of too many terms; `terms` has them with repetitions."""
    if len(chosen) <= MAX_QUERY_TERMS:
        return tuple(chosen)
    kept = {*chosen}
    last_first = [term for term in dict.fromkeys(reversed(terms)) if term in kept]
    half = MAX_QUERY_TERMS // 2
    return tuple(dict.fromkeys([*chosen[:half], *reversed(last_first[:half])]))
