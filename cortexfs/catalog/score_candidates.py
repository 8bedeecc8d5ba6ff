"""Score the best matches of a full-text index again, in the same way for each index."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from cortexfs.catalog.context_scores import find_context_scores
from cortexfs.catalog.known_counts import COUNTS_PER_ATOM, KnownCounts
from cortexfs.catalog.known_surroundings import KnownSurroundings
from cortexfs.core.find.count_terms import SearchedPatterns
from cortexfs.core.find.score_texts import (
    compute_rarities,
    list_searched_strings,
    score_counts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.catalog.full_text_index import FullTextIndex
    from cortexfs.core.find.parse_query import Query
    from cortexfs.core.find.score_texts import TextStatistics

MAX_SCORED = 100
"""Number of best matches of the index that are scored again; the others keep their order.

Measured on docstrings and manual pages, no more than 50 of them change an answer.
"""

Hits = list[tuple[int, float]]
"""Document numbers with their scores, best first."""


def _order(scored: Mapping[int, float], candidates: Hits) -> Hits:
    """Return the matches, those with a score first."""
    best = sorted(sorted(scored.items()), key=itemgetter(1), reverse=True)
    rest = [hit for hit in candidates if hit[0] not in scored]
    return [*best, *_scale_to(best[-1][1] if best else 0.0, rest)]


def score_with_context(
    catalog: Catalog, index: FullTextIndex, query: Query, candidates: Hits
) -> tuple[Hits, dict[int, float]]:
    """Return the matches by BM25F with the scores of their surroundings added, best first.

    The second value has the share that was added to the score of an atom, if any.
    """
    known = catalog.surroundings = catalog.surroundings or KnownSurroundings(
        catalog.db, catalog.max_cached_atoms
    )
    statistics = index.read_statistics(list_searched_strings(query))
    docs = [doc for doc, _ in candidates[:MAX_SCORED]]
    terms = _score_terms(catalog, index, statistics, docs)
    rarities = compute_rarities(statistics)
    added = find_context_scores(known, query.filters, statistics.text_count, terms, rarities)
    scores = dict(zip(terms, map(sum, terms.values()), strict=True))
    shares = {doc: score / scores[doc] for doc, score in added.items() if scores[doc]}
    scores.update((doc, scores[doc] + score) for doc, score in added.items())
    return _order(scores, candidates), shares


def score_documents(
    catalog: Catalog, index: FullTextIndex, query: Query, docs: Sequence[int]
) -> dict[int, float]:
    """Return the BM25F score of each of some atoms, as far as there is time for long texts."""
    statistics = index.read_statistics(list_searched_strings(query))
    terms = _score_terms(catalog, index, statistics, docs)
    return {doc: sum(scores) for doc, scores in terms.items()}


def _score_terms(
    catalog: Catalog, index: FullTextIndex, statistics: TextStatistics, docs: Sequence[int]
) -> dict[int, Sequence[float]]:
    """Return the score of each of some atoms for each searched string."""
    known = catalog.known_counts = catalog.known_counts or KnownCounts(
        catalog.db, COUNTS_PER_ATOM * catalog.max_cached_atoms
    )
    searched = SearchedPatterns.from_strings(statistics.frequencies, statistics.holders)
    return score_counts(known.read(index, docs, searched), searched, statistics)


def _scale_to(highest: float, hits: Hits) -> Iterator[tuple[int, float]]:
    """Yield hits of another scale, the first of which has a score that is given."""
    factor = highest / hits[0][1] if hits and hits[0][1] > 0 else 0.0
    return ((doc, score * factor) for doc, score in hits)
