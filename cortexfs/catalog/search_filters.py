"""Filters on the atoms that are found by a query."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from sqlite3 import Connection

    from cortexfs.core.find.atom_filter import AtomFilter

SAMPLE_SIZE = 50
"""Number of atoms on which a filter is tried."""
MAX_EXACT_NUMBER = 500
"""The highest number of an atom with which a filter is tried on every atom."""
MIN_WEAK_SHARE = 0.25
"""A filter that passes at least this share of the atoms is applied after the search."""
SAFETY_FACTOR = 2
"""The factor by which more matches are then searched than should be enough."""
OVERFETCH_FACTOR = 8
"""The factor by which more matches are searched for a filter that the index may ignore."""
LOOKUP_BATCH = 60
"""Number of matches per lookup."""
_STRIDE = 2_654_435_761
"""A prime near 2^32 divided by the golden ratio: its multiples are evenly distributed."""
_MENTIONS_SQL = (
    "texts.path IN (SELECT path FROM mentions WHERE name = ? UNION ALL"
    " SELECT path FROM (SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM mentions WHERE name = ?))"
    " CROSS JOIN mentions WHERE instr(lower(name), lower(?)))"
)
"""Mentions of an entity; only if nothing has exactly this name, all are read for those that
contain it."""
_IN_DOCS_SQL = "doc IN (SELECT value FROM json_each(?))"


def filter_to_sql(atom_filter: AtomFilter) -> tuple[str, list[object]]:
    """Return the filters as SQL conditions on `texts`, each after AND, and their parameters."""
    sql, parameters = "", list[object]()
    for condition, values in _iter_conditions(atom_filter):
        sql += f" AND {condition}"
        parameters += values
    return sql, parameters


def _iter_conditions(atom_filter: AtomFilter) -> Iterator[tuple[str, Sequence[object]]]:
    """Yield each condition with its parameters."""
    for column, values in (
        ("kind", atom_filter.kinds),
        ("project", atom_filter.projects),
        ("status", atom_filter.statuses),
    ):
        if values:
            yield f"texts.{column} IN ({_list_places(values)})", values
    yield from _iter_memory_conditions(atom_filter)
    for tag in atom_filter.tags:
        yield "instr(texts.tags, ?)", [f"\n{tag}\n"]
    for entity in atom_filter.entities:
        name = entity.encode(errors="replace").decode()  # no text has half a character
        yield _MENTIONS_SQL, [name, name, name]
    if atom_filter.since:
        yield "texts.born >= ?", [atom_filter.since]
    if atom_filter.until:
        yield "texts.born BETWEEN 1 AND ?", [atom_filter.until]
    for one in atom_filter.excluded:
        excluded, parameters = filter_to_sql(one)
        yield f"NOT (1{excluded})", parameters


def _iter_memory_conditions(atom_filter: AtomFilter) -> Iterator[tuple[str, Sequence[object]]]:
    """Yield the conditions on the table of memories."""
    for column, values in (("type", atom_filter.types), ("scope", atom_filter.scopes)):
        if values:
            places = _list_places(values)
            memories = f"SELECT path FROM memories WHERE {column} IN ({places})"  # noqa: S608 - our own SQL
            yield f"texts.path IN ({memories})", values
    if atom_filter.without_deleted:
        yield "texts.path NOT IN (SELECT path FROM memories WHERE deleted_at != '')", ()


def _list_places(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def estimate_passing_share(db: Connection, only: AtomFilter) -> float:
    """Return the share of atoms that pass a filter: of few atoms, or of a sample of many."""
    where, parameters = filter_to_sql(only)
    (last,) = db.execute("SELECT ifnull(max(doc), 0) FROM texts").fetchone()
    sql = f"SELECT total(1{where}), count(*) FROM texts WHERE {_IN_DOCS_SQL}"  # noqa: S608 - our own SQL
    passed, tried = db.execute(sql, (*parameters, json.dumps(_choose_sample(last)))).fetchone()
    return float(passed / max(tried, 1))


def _choose_sample(last: int) -> list[int]:
    """Return all numbers up to the last one, or some that are spread over them."""
    if last <= MAX_EXACT_NUMBER:
        return list(range(1, last + 1))
    return [1 + each * _STRIDE % last for each in range(SAMPLE_SIZE)]


def filter_hits(
    db: Connection, hits: Sequence[tuple[int, float]], only: AtomFilter
) -> Iterator[tuple[int, float]]:
    """Yield the matches that pass a filter; no more are looked up than are needed."""
    where, parameters = filter_to_sql(only)
    sql = f"SELECT doc FROM texts WHERE {_IN_DOCS_SQL}{where}"  # noqa: S608 - our own SQL
    for start in range(0, len(hits), LOOKUP_BATCH):
        batch = hits[start : start + LOOKUP_BATCH]
        rows = db.execute(sql, (json.dumps([doc for doc, _ in batch]), *parameters))
        passed = {doc for (doc,) in rows}
        yield from (hit for hit in batch if hit[0] in passed)
