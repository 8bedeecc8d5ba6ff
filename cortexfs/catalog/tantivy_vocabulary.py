"""Look up terms in an index of tantivy, which has those of deleted texts too for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tantivy import Query

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tantivy import Index, Searcher

_FIELD = "text"
_PREFIX_LETTERS = 3
_MIN_GROUP = 50
"""Number of terms with the same first letters from which all such terms are read."""
_MAX_WALKED = 5000
"""Maximum number of terms that are read."""


def find_terms(index: Index, candidates: Iterable[str]) -> set[str]:
    """Return those of some terms that a text has.

    A lookup takes half a microsecond for each segment of the index; many candidates
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
        known = dict(searcher.terms_with_prefix(_FIELD, prefix, limit=_MAX_WALKED))
        if len(known) < _MAX_WALKED:
            return filter(known.__contains__, terms)
    return (term for term in terms if searcher.doc_freq(_FIELD, term))


def complete_term(index: Index, prefix: str, limit: int) -> list[str]:
    """Return terms that begin with a prefix, those in most texts first."""
    counts = dict(index.searcher().terms_with_prefix(_FIELD, prefix, limit=limit))
    return sorted(counts, key=lambda term: (-counts[term], term))


def _is_in_text(index: Index, searcher: Searcher, term: str) -> bool:
    """Return whether a term is in a text that was not deleted."""
    query = Query.term_query(index.schema, _FIELD, term)
    return bool(searcher.search(query, 1, count=False).hits)
