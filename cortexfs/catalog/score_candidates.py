"""Score the best matches of a full-text index again, in the same way for each index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.find.score_texts import list_searched_strings, score_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.catalog.full_text_index import FullTextIndex
    from cortexfs.core.find.parse_query import Query

MAX_SCORED = 100
"""Number of best matches of the index that are scored again; the others keep their order.

Measured on docstrings and manual pages, no more than 50 of them change an answer.
"""

Hits = list[tuple[int, float]]
"""Document numbers with their scores, best first."""


def score_candidates(index: FullTextIndex, query: Query, candidates: Hits) -> Hits:
    """Return the matches of an index by their BM25F score, best first."""
    scored = score_documents(index, query, [doc for doc, _ in candidates[:MAX_SCORED]])
    best = sorted(scored.items(), key=lambda hit: (-hit[1], hit[0]))
    rest = [hit for hit in candidates if hit[0] not in scored]
    return [*best, *_scale_to(best[-1][1] if best else 0.0, rest)]


def score_documents(index: FullTextIndex, query: Query, docs: Sequence[int]) -> dict[int, float]:
    """Return the BM25F score of each of some atoms, as far as there is time for long texts."""
    statistics = index.read_statistics(list_searched_strings(query))
    return dict(score_texts(index.read_weighted_texts(docs), statistics))


def _scale_to(highest: float, hits: Hits) -> Iterator[tuple[int, float]]:
    """Yield hits of another scale, the first of which has a score that is given."""
    factor = highest / hits[0][1] if hits and hits[0][1] > 0 else 0.0
    return ((doc, score * factor) for doc, score in hits)
