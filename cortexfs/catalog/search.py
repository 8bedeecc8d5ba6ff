"""Ask the full text, and put what is found in order by all that the catalog knows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cortexfs.catalog.fulltext import full_text
from cortexfs.catalog.meaning.candidates import by_meaning
from cortexfs.catalog.words import conditions
from cortexfs.core.find.query import Only
from cortexfs.core.find.rank import MOST, Known, best_first, weigh

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.find.fuse import Fit
    from cortexfs.core.find.query import Query
    from cortexfs.core.find.rank import Found

CANDIDATES = 100
"""Of so many that fit best the order is made; more where more are asked for."""
SPARE = 5
"""What is looked at beyond those that are asked for; nearly always enough."""

_KNOWN = """
SELECT doc, ref, path, kind, project, status, summary,
  max(
    (SELECT count(DISTINCT note) FROM looks WHERE looks.project = t.project AND file = name),
    ifnull((SELECT max(refs) FROM shown WHERE shown.folder = t.folder AND id IN (name, t.id)), 0),
    ifnull((SELECT refs FROM rows WHERE rows.folder = t.folder AND rows.name = t.name), 0)),
  max(
    ifnull((SELECT max(ts) FROM looks WHERE looks.project = t.project AND file = name), ''),
    ifnull((SELECT max(last) FROM shown WHERE shown.folder = t.folder AND id IN (name, t.id)), ''),
    ifnull((SELECT last FROM rows WHERE rows.folder = t.folder AND rows.name = t.name), '')),
  (SELECT count(DISTINCT path) FROM links WHERE cited = t.ref AND path != t.path)
  + (SELECT count(DISTINCT path) FROM links
     WHERE cited = t.id AND links.project = t.project AND t.project != '' AND path != t.path)
FROM texts t WHERE doc IN (SELECT value FROM json_each(?))
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
    hits = _hits(catalog, query, max(CANDIDATES, most))
    fits: Mapping[int, Fit] = {}
    if cosines and query.words:
        fits = by_meaning(catalog.db, query, hits, cosines, max(CANDIDATES, most))
        hits = sorted(((doc, fit.score) for doc, fit in fits.items()), key=lambda hit: -hit[1])
    found: list[Found] = []
    for start in range(0, len(hits), step := most + SPARE):
        if len(found) >= most and hits[start][1] * MOST <= found[most - 1].score:
            break  # whatever is known of the rest, it cannot come so far
        part = hits[start : start + step]
        known = _known(catalog, [doc for doc, _ in part])
        there = [(doc, score) for doc, score in part if doc in known]
        weighed = weigh(((score, known[doc]) for doc, score in there), today)
        each = zip(there, weighed, strict=True)
        found = best_first([*found, *(one._replace(fit=fits.get(doc)) for (doc, _), one in each)])
    return found[:most]


def _hits(catalog: Catalog, query: Query, most: int) -> list[tuple[int, float]]:
    if query.words:
        return (catalog.words or full_text(catalog)).search(query, most)
    return _filtered(catalog, query, most) if query.only != Only() else []


def _filtered(catalog: Catalog, query: Query, most: int) -> list[tuple[int, float]]:
    """Give what the filters let through, the newest."""
    where, given = conditions(query.only)
    sql = f"SELECT doc, 1.0 FROM texts WHERE 1{where} ORDER BY born DESC, path LIMIT ?"  # noqa: S608
    return catalog.db.execute(sql, (*given, most)).fetchall()


def _known(catalog: Catalog, docs: Sequence[int]) -> Mapping[int, Known]:
    rows = catalog.db.execute(_KNOWN, (json.dumps(docs),))
    return {row[0]: Known._make(row[1:]) for row in rows}
