"""Look up terms in an index of tantivy, which has those of deleted texts too for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tantivy import Query

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tantivy import Index, Searcher

_FIELD = "text"
_PREFIX_LETTERS = 3
_MIN_GROUP = 50
"""Number of terms with the same first letters from which all such terms are read."""
_MAX_WALKED = 5000
"""Maximum number of terms that are read."""


def find_terms(index: Index, terms: Iterable[str]) -> set[str]:
    """Return those of some terms that a text has."""
    searcher = index.searcher()
    return {
        term
        for term in terms
        if searcher.doc_freq(_FIELD, term) and _is_in_text(index, searcher, term)
    }


def count_candidates(index: Index, candidates: Iterable[str], limit: int) -> dict[str, int]:
    """Return the first of many terms that texts have, each with their number.

    Deleted texts count until a merge. A lookup takes half a microsecond for each segment of the
    index; many candidates with the same first letters are compared with all such terms, which
    takes less.
    """
    searcher, groups = index.searcher(), dict[str, list[str]]()
    every = list(candidates)
    for term in every:
        groups.setdefault(term[:_PREFIX_LETTERS], []).append(term)
    counts = {
        term: count
        for prefix, group in groups.items()
        for term, count in _look_up(searcher, prefix, group)
    }
    known = [term for term in every if term in counts][:limit]
    return {term: counts[term] for term in known if _is_in_text(index, searcher, term)}


def list_terms(index: Index, prefix: str, limit: int) -> list[str]:
    """Return the shortest terms that begin with a prefix, also of deleted texts."""
    found = index.searcher().terms_with_prefix(_FIELD, prefix, limit=max(limit, _MAX_WALKED))
    return sorted((term for term, _ in found), key=lambda term: (len(term), term))[:limit]


def _look_up(searcher: Searcher, prefix: str, terms: list[str]) -> Iterator[tuple[str, int]]:
    """Yield those of some terms with the same prefix that the index has, with their counts."""
    if len(terms) >= _MIN_GROUP and prefix:
        known = dict(searcher.terms_with_prefix(_FIELD, prefix, limit=_MAX_WALKED))
        if len(known) < _MAX_WALKED:
            yield from ((term, known[term]) for term in terms if term in known)
            return
    counted = ((term, searcher.doc_freq(_FIELD, term)) for term in terms)
    yield from ((term, count) for term, count in counted if count)


def _is_in_text(index: Index, searcher: Searcher, term: str) -> bool:
    """Return whether a term is in a text that was not deleted."""
    query = Query.term_query(index.schema, _FIELD, term)
    return bool(searcher.search(query, 1, count=False).hits)
