"""Combine atoms that match a query by embedding with those that match by words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cortexfs.catalog.full_text_backend import open_full_text
from cortexfs.catalog.score_candidates import score_documents
from cortexfs.catalog.search_filters import filter_to_sql
from cortexfs.core.find.fuse_text_and_similarity import (
    MAX_JUDGED_MATCHES,
    MIN_COSINE,
    choose_text_weight,
    fuse_scores,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from sqlite3 import Connection

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.core.find.fuse_text_and_similarity import FusedScore
    from cortexfs.core.find.parse_query import Query

CONTENT_BATCH = 500
"""Number of contents in the first lookup; later lookups are larger, for strict filters."""


def fuse_similar_atoms(
    catalog: Catalog,
    query: Query,
    hits: Sequence[tuple[int, float]],
    cosines: Mapping[str, float],
    limit: int,
) -> dict[int, FusedScore]:
    """Combine the best matches by words with the `limit` most similar atoms.

    If the query has a phrase or an exclusion, only matches by words are returned, and the
    similarity only affects their order.
    """
    if not hits and (query.phrases or query.excluded):
        return {}
    rows = _read_contents(catalog.db, [doc for doc, _ in hits])
    similarities = {doc: cosines.get(content) for doc, content, _ in rows}
    languages = {doc: language for doc, _, language in rows}
    scores = dict(hits)
    if not (query.phrases or query.excluded):
        similar = dict(_find_most_similar(catalog.db, query.filters, cosines, limit))
        others = similar.keys() - scores.keys()
        full_text = catalog.full_text or open_full_text(catalog)
        found = score_documents(catalog, full_text, query, sorted(others))
        scores |= dict.fromkeys(others, 0.0) | found
        similarities |= similar
    best = [(languages.get(doc, ""), score) for doc, score in hits[:MAX_JUDGED_MATCHES]]
    return fuse_scores(scores, similarities, choose_text_weight(query.language, best))


def _read_contents(db: Connection, docs: Sequence[int]) -> list[tuple[int, str, str]]:
    """Return the content keys and the languages of some texts, by number."""
    sql = "SELECT doc, content, language FROM texts WHERE doc IN (SELECT value FROM json_each(?))"
    return db.execute(sql, (json.dumps(docs),)).fetchall()


def _find_most_similar(
    db: Connection, only: AtomFilter, cosines: Mapping[str, float], limit: int
) -> list[tuple[int, float]]:
    """Return the atoms that pass a filter, most similar first."""
    found: list[tuple[int, float]] = []
    for contents in _iter_growing_batches(
        [content for content, cosine in cosines.items() if cosine >= MIN_COSINE], cosines
    ):
        found += _filter_by_content(db, only, contents, cosines)
        if len(found) >= limit:
            break
    return sorted(found, key=lambda each: (-each[1], each[0]))[:limit]


def _iter_growing_batches(contents: list[str], cosines: Mapping[str, float]) -> Iterator[list[str]]:
    """Yield contents in growing batches, most similar first."""
    contents.sort(key=cosines.__getitem__, reverse=True)
    start, step = 0, CONTENT_BATCH
    while start < len(contents):
        yield contents[start : start + step]
        start, step = start + step, 4 * step


def _filter_by_content(
    db: Connection, only: AtomFilter, contents: Sequence[str], cosines: Mapping[str, float]
) -> Iterator[tuple[int, float]]:
    where, values = filter_to_sql(only)
    sql = (
        "SELECT doc, content FROM texts"  # noqa: S608 - our own SQL
        f" WHERE content IN (SELECT value FROM json_each(?)){where}"
    )
    rows = db.execute(sql, (json.dumps(contents), *values))
    return ((doc, cosines[content]) for doc, content in rows)
