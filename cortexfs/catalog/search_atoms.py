"""Ask the full text, and put what is found in order by all that the catalog knows."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

from cortexfs.catalog.embeddings.similar_atoms import fuse_similar_atoms
from cortexfs.catalog.full_text_backend import open_full_text
from cortexfs.catalog.ranking_signals import RankingSignals
from cortexfs.catalog.search_filters import (
    OVERFETCH_FACTOR,
    filter_hits,
    format_sql_conditions,
    is_weak_filter,
)
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.find.rank import MAX_BOOST, rank_hits, sort_by_score

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.find.fuse_scores import FusedScore
    from cortexfs.core.find.parse_query import Query
    from cortexfs.core.find.rank import RankedHit

MAX_CANDIDATES = 100
"""So many that fit best by words, and as many by meaning, are weighed against each other."""
MAX_RISE = 40
"""Places that an atom may rise by what is known of it: further down nothing is looked up."""
EXTRA_HITS = 5
"""Of those that may rise, so many are looked at first; often enough."""
_NAMED = """
SELECT doc, path FROM texts WHERE path IN (
  SELECT path FROM atoms WHERE ref IN (SELECT value FROM json_each(?))
  UNION SELECT value FROM json_each(?)
)
"""


def search_atoms(
    catalog: Catalog,
    query: Query,
    today: date,
    limit: int,
    cosines: Mapping[str, float] | None = None,
) -> list[RankedHit]:
    """Give what fits a query best, best first; refresh and take in the texts before.

    Where `cosines` tells how near the contents of texts are to the query, they count too.
    """
    fits: Mapping[int, FusedScore] = {}
    if cosines and query.all_terms:
        hits = _hits(catalog, query, max(MAX_CANDIDATES, limit))
        fits = fuse_similar_atoms(catalog.db, query, hits, cosines, max(MAX_CANDIDATES, limit))
        hits = sorted(((doc, fit.score) for doc, fit in fits.items()), key=lambda hit: -hit[1])
    else:
        hits = _hits(catalog, query, limit + MAX_RISE)
    named = _named(catalog, query)
    hits = [*_scored(named, hits), *(hit for hit in hits if hit[0] not in named)]
    near, rest = hits[: limit + EXTRA_HITS], hits[limit + EXTRA_HITS : limit + MAX_RISE]
    found = sort_by_score(_weighed(catalog, near, fits, today))
    enough = found[limit - 1].score / MAX_BOOST if len(found) >= limit else 0.0
    may_pass = [hit for hit in rest if hit[1] > enough]  # whatever is known of the others
    every = sort_by_score([*found, *_weighed(catalog, may_pass, fits, today)])
    return sorted(every, key=lambda one: one.atom.path not in named.values())[:limit]


def _weighed(
    catalog: Catalog, hits: Sequence[tuple[int, float]], fits: Mapping[int, FusedScore], today: date
) -> Iterator[RankedHit]:
    """Weigh hits by all that is known of them."""
    catalog.ranking_signals = catalog.ranking_signals or RankingSignals(catalog.db)
    known = catalog.ranking_signals.get_signals([doc for doc, _ in hits], today)
    there = [(doc, score) for doc, score in hits if doc in known]
    weighed = rank_hits((score, known[doc]) for doc, score in there)
    each = zip(there, weighed, strict=True)
    return (one._replace(fused=fits.get(doc)) for (doc, _), one in each) if fits else weighed


def _hits(catalog: Catalog, query: Query, most: int) -> list[tuple[int, float]]:
    """Give the atoms that fit best, with how well they do."""
    if not query.all_terms:
        return _filtered(catalog, query, most) if query.filters != AtomFilter() else []
    words = catalog.full_text or open_full_text(catalog)
    if query.filters != AtomFilter() and is_weak_filter(catalog.db, query.filters):
        best = words.search(query._replace(filters=AtomFilter()), OVERFETCH_FACTOR * most)
        left = list(islice(filter_hits(catalog.db, best, query.filters), most))
        if len(left) == most or len(best) < OVERFETCH_FACTOR * most:
            return left
    return words.search(query, most)


def _named(catalog: Catalog, query: Query) -> dict[int, str]:
    """Give the atoms that are asked for by full ref or path, each with its path."""
    if not query.refs_or_paths or query.phrases or query.excluded:
        return {}
    names = json.dumps(query.refs_or_paths)
    where, given = format_sql_conditions(query.filters)
    return dict(catalog.db.execute(f"{_NAMED}{where}", (names, names, *given)))


def _scored(docs: Iterable[int], hits: Sequence[tuple[int, float]]) -> Iterator[tuple[int, float]]:
    """Give atoms with how well they fit by their words; 0 where others fit better."""
    scores = dict(hits)
    return ((doc, scores.get(doc, 0.0)) for doc in docs)


def _filtered(catalog: Catalog, query: Query, most: int) -> list[tuple[int, float]]:
    """Give what the filters let through, the newest."""
    where, given = format_sql_conditions(query.filters)
    sql = f"SELECT doc, 1.0 FROM texts WHERE 1{where} ORDER BY born DESC, path LIMIT ?"  # noqa: S608
    return catalog.db.execute(sql, (*given, most)).fetchall()
