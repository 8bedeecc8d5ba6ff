"""Ask the full text, and put what is found in order by all that the catalog knows."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

from cortexfs.catalog.embeddings.similar_atoms import by_meaning
from cortexfs.catalog.fulltext_backend import full_text
from cortexfs.catalog.ranking_signals import Standings
from cortexfs.catalog.search_filters import WIDE, conditions, kept, lets_many_through
from cortexfs.core.find.filters import Only
from cortexfs.core.find.rank import MOST, best_first, weigh

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.find.fuse_scores import Fit
    from cortexfs.core.find.parse_query import Query
    from cortexfs.core.find.rank import Found

CANDIDATES = 100
"""So many that fit best by words, and as many by meaning, are weighed against each other."""
REACH = 40
"""Places that an atom may rise by what is known of it: further down nothing is looked up."""
SPARE = 5
"""Of those that may rise, so many are looked at first; often enough."""
_NAMED = """
SELECT doc, path FROM texts WHERE path IN (
  SELECT path FROM atoms WHERE ref IN (SELECT value FROM json_each(?))
  UNION SELECT value FROM json_each(?)
)
"""


def search(
    catalog: Catalog,
    query: Query,
    today: date,
    most: int,
    cosines: Mapping[str, float] | None = None,
) -> list[Found]:
    """Give what fits a query best, best first; refresh and take in the texts before.

    Where `cosines` tells how near the contents of texts are to the query, they count too.
    """
    fits: Mapping[int, Fit] = {}
    if cosines and query.words:
        hits = _hits(catalog, query, max(CANDIDATES, most))
        fits = by_meaning(catalog.db, query, hits, cosines, max(CANDIDATES, most))
        hits = sorted(((doc, fit.score) for doc, fit in fits.items()), key=lambda hit: -hit[1])
    else:
        hits = _hits(catalog, query, most + REACH)
    named = _named(catalog, query)
    hits = [*_scored(named, hits), *(hit for hit in hits if hit[0] not in named)]
    near, rest = hits[: most + SPARE], hits[most + SPARE : most + REACH]
    found = best_first(_weighed(catalog, near, fits, today))
    enough = found[most - 1].score / MOST if len(found) >= most else 0.0
    may_pass = [hit for hit in rest if hit[1] > enough]  # whatever is known of the others
    every = best_first([*found, *_weighed(catalog, may_pass, fits, today)])
    return sorted(every, key=lambda one: one.known.path not in named.values())[:most]


def _weighed(
    catalog: Catalog, hits: Sequence[tuple[int, float]], fits: Mapping[int, Fit], today: date
) -> Iterator[Found]:
    """Weigh hits by all that is known of them."""
    catalog.standings = catalog.standings or Standings(catalog.db)
    known = catalog.standings.of([doc for doc, _ in hits], today)
    there = [(doc, score) for doc, score in hits if doc in known]
    weighed = weigh((score, known[doc]) for doc, score in there)
    each = zip(there, weighed, strict=True)
    return (one._replace(fit=fits.get(doc)) for (doc, _), one in each) if fits else weighed


def _hits(catalog: Catalog, query: Query, most: int) -> list[tuple[int, float]]:
    """Give the atoms that fit best, with how well they do."""
    if not query.words:
        return _filtered(catalog, query, most) if query.only != Only() else []
    words = catalog.words or full_text(catalog)
    if query.only != Only() and lets_many_through(catalog.db, query.only):
        best = words.search(query._replace(only=Only()), WIDE * most)
        left = list(islice(kept(catalog.db, best, query.only), most))
        if len(left) == most or len(best) < WIDE * most:
            return left
    return words.search(query, most)


def _named(catalog: Catalog, query: Query) -> dict[int, str]:
    """Give the atoms that are asked for by full ref or path, each with its path."""
    if not query.named or query.phrases or query.without:
        return {}
    names = json.dumps(query.named)
    where, given = conditions(query.only)
    return dict(catalog.db.execute(f"{_NAMED}{where}", (names, names, *given)))


def _scored(docs: Iterable[int], hits: Sequence[tuple[int, float]]) -> Iterator[tuple[int, float]]:
    """Give atoms with how well they fit by their words; 0 where others fit better."""
    scores = dict(hits)
    return ((doc, scores.get(doc, 0.0)) for doc in docs)


def _filtered(catalog: Catalog, query: Query, most: int) -> list[tuple[int, float]]:
    """Give what the filters let through, the newest."""
    where, given = conditions(query.only)
    sql = f"SELECT doc, 1.0 FROM texts WHERE 1{where} ORDER BY born DESC, path LIMIT ?"  # noqa: S608
    return catalog.db.execute(sql, (*given, most)).fetchall()
