"""Look up terms in an index of tantivy, which has those of deleted texts too for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tantivy import Occur, Query

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tantivy import Index, Searcher

_FIELDS = ("body", "title", "names", "tags")
"""The fields that have all terms; those of headings are also in the body."""
_PREFIX_LETTERS = 3
_MIN_GROUP = 50
"""Number of terms with the same first letters from which all such terms are read."""
_MAX_WALKED = 5000
"""Maximum number of terms that are read."""


def find_terms(index: Index, candidates: Iterable[str]) -> set[str]:
    """Return those of some terms that a text has.

    A lookup takes half a microsecond for each field and each segment of the index; many candidates
    with the same first letters are compared with all such terms, which takes less.
    """
    searcher, groups = index.searcher(), dict[str, list[str]]()
    for term in candidates:
        groups.setdefault(term[:_PREFIX_LETTERS], []).append(term)
    present = (
        term for prefix, group in groups.items() for term in _look_up(searcher, prefix, group)
    )
    return {term for term in present if _is_in_text(index, searcher, term)}


def _look_up(searcher: Searcher, prefix: str, terms: list[str]) -> Iterable[str]:
    """Return those of some terms with the same prefix that the index has."""
    if len(terms) >= _MIN_GROUP and prefix:
        found = [searcher.terms_with_prefix(each, prefix, limit=_MAX_WALKED) for each in _FIELDS]
        if max(map(len, found)) < _MAX_WALKED:
            known = {term for terms_of_field in found for term, _ in terms_of_field}
            return filter(known.__contains__, terms)
    return (term for term in terms if any(searcher.doc_freq(each, term) for each in _FIELDS))


def complete_term(index: Index, prefix: str, limit: int) -> list[str]:
    """Return terms that begin with a prefix, those in most texts first."""
    searcher, counts = index.searcher(), dict[str, int]()
    for field in _FIELDS:
        for term, count in searcher.terms_with_prefix(field, prefix, limit=limit):
            counts[term] = max(count, counts.get(term, 0))
    return sorted(counts, key=lambda term: (-counts[term], term))[:limit]


def _is_in_text(index: Index, searcher: Searcher, term: str) -> bool:
    """Return whether a term is in a text that was not deleted."""
    queries = [(Occur.Should, Query.term_query(index.schema, each, term)) for each in _FIELDS]
    return bool(searcher.search(Query.boolean_query(queries), 1, count=False).hits)
