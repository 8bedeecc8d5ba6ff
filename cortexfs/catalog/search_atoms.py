"""Query the full-text index, and rank the matches by all signals in the catalog."""

from __future__ import annotations

import json
from itertools import islice
from math import ceil
from typing import TYPE_CHECKING

from cortexfs.catalog.embeddings.fuse_similar_atoms import fuse_similar_atoms
from cortexfs.catalog.full_text_backend import open_full_text
from cortexfs.catalog.ranking_signals import RankingSignals
from cortexfs.catalog.score_candidates import MAX_SCORED, score_with_context
from cortexfs.catalog.search_filters import (
    MIN_WEAK_SHARE,
    OVERFETCH_FACTOR,
    SAFETY_FACTOR,
    estimate_passing_share,
    filter_hits,
    filter_to_sql,
)
from cortexfs.core.atoms.atom import Ref
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.find.rank import MAX_BOOST, rank_hit, sort_by_score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import date
    from sqlite3 import Connection

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.catalog.full_text_index import FullTextIndex
    from cortexfs.core.find.fuse_text_and_similarity import FusedScore
    from cortexfs.core.find.parse_query import Query
    from cortexfs.core.find.rank import RankedHit

MAX_SIMILAR = 100
"""Number of most similar atoms that are compared with the best matches by words."""
MAX_RISE = 40
"""Number of places that ranking signals may raise an atom: those further down are not looked up."""
EXTRA_HITS = 5
"""Number of extra matches that are looked up first; usually enough."""
_NAMED_ATOMS_SQL = """
SELECT doc, path FROM texts WHERE path IN (
  SELECT path FROM atoms WHERE ref IN (SELECT value FROM json_each(?))
  UNION SELECT value FROM json_each(?)
)
"""
_REFS_OF_DOCS_SQL = "SELECT doc, ref FROM texts WHERE doc IN (SELECT value FROM json_each(?))"
_DOCS_BY_REF_SQL = "SELECT doc FROM texts WHERE ref IN (SELECT value FROM json_each(?))"


def search_atoms(
    catalog: Catalog,
    query: Query,
    today: date,
    limit: int,
    compute_cosines: Callable[[], Mapping[str, float]] = dict,
) -> list[RankedHit]:
    """Return the best matches of a query, best first; refresh and update the text index before.

    `compute_cosines` returns the similarity of the contents of texts to the query, which counts
    too. It is called after the search by words: a thread embeds the query meanwhile. Of a query
    that is the full ref of an atom, that atom and those that mention it are the matches.
    """
    fused: Mapping[int, FusedScore] = {}
    hits, context = _search_full_text(catalog, query, limit + MAX_RISE)
    if query.all_terms and (cosines := compute_cosines()):
        fused = fuse_similar_atoms(catalog, query, hits, cosines, max(MAX_SIMILAR, limit))
        hits = sorted(((doc, fit.score) for doc, fit in fused.items()), key=lambda hit: -hit[1])
    named = _find_named_atoms(catalog, query)
    if named and query.only_ref:
        mentions = _attach_scores(_find_mentioning_atoms(catalog, query), hits)
        hits = sorted(mentions, key=lambda hit: -hit[1])
    if named:
        hits = [*_attach_scores(named, hits), *(hit for hit in hits if hit[0] not in named)]
    best, rest = hits[: limit + EXTRA_HITS], hits[limit + EXTRA_HITS : limit + MAX_RISE]
    ranked = sort_by_score(_rank_candidates(catalog, best, fused, context, today))
    needed = ranked[limit - 1].score if len(ranked) >= limit else 0.0
    least = needed / MAX_BOOST  # no signal raises the others that far
    reachable = [hit for hit in rest if hit[1] > least]
    others = _rank_candidates(catalog, reachable, fused, context, today, needed=needed)
    ranked = sort_by_score([*ranked, *others])
    return sorted(ranked, key=lambda hit: hit.atom.path not in named.values())[:limit]


def find_candidate_refs(catalog: Catalog, query: Query, limit: int) -> list[str]:
    """Return the refs of the best matches by the score of the full-text index, best first."""
    if not query.all_terms:
        return []
    full_text = catalog.full_text or open_full_text(catalog)
    telling = _drop_common_terms(full_text, query)
    hits = _find_candidates(catalog, full_text, telling, limit)
    if len(hits) < limit and telling != query:  # then those with many common words are the next
        hits = _find_candidates(catalog, full_text, query, limit)
    docs = [doc for doc, _ in hits]
    refs = dict(catalog.db.execute(_REFS_OF_DOCS_SQL, (json.dumps(docs),)))
    return [refs[doc] for doc in docs if doc in refs]


def _drop_common_terms(full_text: FullTextIndex, query: Query) -> Query:
    """Return a query without the terms that at least half of all texts have, if others are left.

    They add next to nothing to a score of BM25, and to find their texts takes most of the time.
    """
    known = full_text.read_statistics(query.terms)
    half = known.text_count / 2
    left = tuple(term for term in query.terms if known.frequencies.get(term, 0) < half)
    is_found = any(known.frequencies.get(term, 0) for term in left)
    return query._replace(terms=left) if is_found else query


def _rank_candidates(
    catalog: Catalog,
    hits: Sequence[tuple[int, float]],
    fused: Mapping[int, FusedScore],
    context: Mapping[int, float],
    today: date,
    *,
    needed: float = 0.0,
) -> Iterator[RankedHit]:
    """Rank matches by all their signals; those that do not reach a score are missing."""
    catalog.ranking_signals = catalog.ranking_signals or RankingSignals(
        catalog.db, catalog.max_cached_atoms
    )
    known = catalog.ranking_signals.get_signals([doc for doc, _ in hits], today)
    return (
        rank_hit(score, known[doc], fused.get(doc), context.get(doc, 0.0))
        for doc, score in hits
        if doc in known and score * known[doc].factor >= needed
    )


def _search_full_text(
    catalog: Catalog, query: Query, limit: int
) -> tuple[list[tuple[int, float]], dict[int, float]]:
    """Return the best matches with their scores, and the shares added by their surroundings."""
    if not query.all_terms:
        return _list_newest(catalog, query, limit) if query.filters != AtomFilter() else [], {}
    full_text = catalog.full_text or open_full_text(catalog)
    candidates = _find_candidates(catalog, full_text, query, max(MAX_SCORED, limit))
    return score_with_context(catalog, full_text, query, candidates)


def _find_candidates(
    catalog: Catalog, full_text: FullTextIndex, query: Query, limit: int
) -> list[tuple[int, float]]:
    """Return the best matches by the score of the full-text index that pass the filters."""
    if query.filters == AtomFilter():
        return full_text.search(query, limit)
    share = estimate_passing_share(catalog.db, query.filters)
    if share >= MIN_WEAK_SHARE:
        wanted = ceil(SAFETY_FACTOR * limit / share)
        best = full_text.search(query._replace(filters=AtomFilter()), wanted)
        left = list(islice(filter_hits(catalog.db, best, query.filters), limit))
        if len(left) == limit or len(best) < wanted:
            return left
    if query.filters.needs_catalog():
        return _search_and_filter(catalog.db, full_text, query, limit)
    return full_text.search(query, limit)


def _search_and_filter(
    db: Connection, full_text: FullTextIndex, query: Query, limit: int
) -> list[tuple[int, float]]:
    """Return the best matches that pass a filter that the index may ignore."""
    wanted = limit
    while True:
        best = full_text.search(query, wanted)
        left = list(islice(filter_hits(db, best, query.filters), limit))
        if len(left) == limit or len(best) < wanted:
            return left
        wanted *= OVERFETCH_FACTOR


def _find_named_atoms(catalog: Catalog, query: Query) -> dict[int, str]:
    """Return the atoms named in the query by full ref or path, each with its path."""
    if not query.refs_or_paths or query.phrases or query.excluded:
        return {}
    names = json.dumps(query.refs_or_paths)
    where, values = filter_to_sql(query.filters)
    return dict(catalog.db.execute(f"{_NAMED_ATOMS_SQL}{where}", (names, names, *values)))


def _find_mentioning_atoms(catalog: Catalog, query: Query) -> list[int]:
    """Return the atoms that mention the ref that is sought, in frontmatter or text."""
    from cortexfs.catalog.link_queries import LinkQueries  # noqa: PLC0415 - few queries are a ref

    full_text = catalog.full_text or open_full_text(catalog)
    links = LinkQueries(catalog.db, full_text).find_links({Ref(query.only_ref)})
    sources = json.dumps(sorted({link.source for link in links} - {query.only_ref}))
    where, values = filter_to_sql(query.filters)
    rows = catalog.db.execute(f"{_DOCS_BY_REF_SQL}{where} ORDER BY path", (sources, *values))
    return [doc for (doc,) in rows]


def _attach_scores(
    docs: Iterable[int], hits: Sequence[tuple[int, float]]
) -> Iterator[tuple[int, float]]:
    """Return atoms with their text scores; 0 if others match better."""
    scores = dict(hits)
    return ((doc, scores.get(doc, 0.0)) for doc in docs)


def _list_newest(catalog: Catalog, query: Query, limit: int) -> list[tuple[int, float]]:
    """Return the newest atoms that pass the filters."""
    where, values = filter_to_sql(query.filters)
    sql = f"SELECT doc, 1.0 FROM texts WHERE 1{where} ORDER BY born DESC, path LIMIT ?"  # noqa: S608
    return catalog.db.execute(sql, (*values, limit)).fetchall()
