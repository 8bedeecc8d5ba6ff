"""Split a typed query into its parts: words, "phrases", -exclusions and filters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.atom_filter import AtomFilter, parse_since, parse_until, split_values
from cortexfs.core.find.query_forms import drop_single_letters
from cortexfs.core.find.tokenize import fold_text, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

MAX_QUERY_CHARS = 4000
"""Maximum characters of a query; of a longer text only the beginning and the end are used."""
MAX_QUERY_TERMS = 32
"""Maximum number of terms, of phrases, exclusions and filters, and of the values of a filter.

Of more terms the first and the last are searched, of the others the first. What a pasted stack
trace is about stands in its first line, or in the last.
"""

_PART = re.compile(r'((?<!\S)-(?=["\w]))?(?:([A-Za-z]+):)?(?:"([^"]*)"?|(\S+))')
_OPTION = re.compile(r"[A-Za-z]|[^=]*=.*")
"""What a minus before it makes an option of a program: `-v`, `-march=native`."""


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

    @property
    def is_phrase(self) -> bool:
        """Whether the part is several words in quotes."""
        return self.is_quoted and len(parse_phrase(self.text)) > 1


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
    values = tuple(map(fold_text, split_values([value])))[:MAX_QUERY_TERMS]
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


def parse_phrase(text: str) -> tuple[str, ...]:
    """Return the terms of a text in order, as they are next to each other in the index."""
    return tuple(drop_single_letters(tokenize(text).words)[:MAX_QUERY_TERMS])
