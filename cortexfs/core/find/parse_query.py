"""Parse a typed query; no input is an error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.atom_filter import AtomFilter, parse_since, parse_until, split_values
from cortexfs.core.find.stop_words import load_stop_words
from cortexfs.core.find.tokenize import (
    fold_text,
    is_folded_ref,
    is_unspaced_script,
    split_words,
    tokenize,
)

if TYPE_CHECKING:
    from datetime import date

MAX_QUERY_CHARS = 4000
"""Maximum characters of a query; of a longer text only the beginning is used."""
MAX_QUERY_TERMS = 32
"""Maximum number of terms, of phrases, and of exclusions."""

_PREFIX = re.compile(r"\w{3,64}\*")
_PART = re.compile(r'(-?)(?:([A-Za-z]+):)?(?:"([^"]*)"?|(\S+))')


class Query(NamedTuple):
    """A parsed query: any of `terms`, all of `phrases`, none of `excluded`."""

    terms: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    excluded: tuple[tuple[str, ...], ...] = ()
    filters: AtomFilter = AtomFilter()
    refs_or_paths: tuple[str, ...] = ()
    """Words that may be the ref of an atom as `list` prints it, or its path; it is ranked first."""

    @property
    def all_terms(self) -> tuple[str, ...]:
        """The terms, including those of the phrases, each once."""
        return tuple(dict.fromkeys([*self.terms, *(word for one in self.phrases for word in one)]))


def parse_query(typed: str, today: date) -> Query:
    """Return the query in a text: words, "phrases", -exclusions, and filters, also with a `-`.

    `migrat*` also finds words that begin with it.

    Filters are `tag:`, `kind:`, `status:`, `project:`, `since:` and `until:`, with one or several
    comma-separated values, and `entity:` with one. Text that only resembles a filter
    (`since:soon`, `std:vector`) is words.
    """
    terms: list[str] = []
    phrases: list[tuple[str, ...]] = []
    excluded: list[tuple[str, ...]] = []
    refs_or_paths: list[str] = []
    filters = AtomFilter()
    for minus, key, quoted, plain in _PART.findall(_truncate_query(typed)):
        if found := _parse_filter(key, quoted or plain, today):
            filters = filters.combine(AtomFilter(excluded=(found,)) if minus else found)
            continue
        text = quoted or (f"{key}:{plain}" if key else plain)
        phrase = _parse_phrase(text)
        if minus:
            excluded += [phrase] if phrase else []
        elif quoted and len(phrase) > 1:
            phrases.append(phrase)
        else:
            terms += _list_terms(text)
            refs_or_paths += _list_refs_or_paths(text)
    return Query(
        _drop_stop_words(terms),
        tuple(phrases[:MAX_QUERY_TERMS]),
        tuple(excluded[:MAX_QUERY_TERMS]),
        filters,
        tuple(refs_or_paths[:MAX_QUERY_TERMS]),
    )


def strip_operators(typed: str, today: date) -> str:
    """Return the query as typed, without filters and exclusions."""
    return " ".join(
        quoted or (f"{key}:{plain}" if key else plain)
        for minus, key, quoted, plain in _PART.findall(_truncate_query(typed))
        if not minus and _parse_filter(key, quoted or plain, today) is None
    )


def _truncate_query(typed: str) -> str:
    """Return the first `MAX_QUERY_CHARS` characters of a text, cut at a blank if possible."""
    beginning = typed[:MAX_QUERY_CHARS]
    whole = re.match(r"(?s).*\S(?=\s)", beginning) if len(typed) > MAX_QUERY_CHARS else None
    return whole[0] if whole else beginning


def _parse_filter(key: str, value: str, today: date) -> AtomFilter | None:
    """Return the filter `key:value`; None if it is not a filter."""
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
        *(term for words, names in read for term in (*_drop_single_letters(words), *names.split())),
        *([prefix[0]] if prefix else []),
    ]


def _list_refs_or_paths(text: str) -> list[str]:
    """Return the text if it may be a ref or a path, without line number and punctuation."""
    name = text.lstrip("([`'").removeprefix("./").partition(":")[0].rstrip(".,;!?)]`'")
    return [name] if "/" in name or is_folded_ref(fold_text(name)) else []


def _parse_phrase(text: str) -> tuple[str, ...]:
    return tuple(_drop_single_letters(tokenize(text).words)[:MAX_QUERY_TERMS])


def _drop_single_letters(words: str) -> list[str]:
    """Return the words without the single letters that end a run of pairs in unspaced scripts."""
    every = words.split()
    return [
        word
        for before, word in zip(["", *every], every, strict=False)
        if len(word) > 1 or not (is_unspaced_script(word) and before[1:] == word)
    ]


def _drop_stop_words(terms: list[str]) -> tuple[str, ...]:
    """Return the terms without stop words, or all of them if there are no others."""
    every = dict.fromkeys(terms)
    significant = [term for term in every if term not in load_stop_words()]
    return tuple((significant or list(every))[:MAX_QUERY_TERMS])
