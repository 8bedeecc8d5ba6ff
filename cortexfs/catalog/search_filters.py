"""What must be true of the atoms that are found, beside their words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from sqlite3 import Connection

    from cortexfs.core.find.filters import Only

SAMPLE = 50
"""Atoms that a filter is tried on."""
MOST = 4
"""A filter that lets one in so many through is tried on the best alone."""
WIDE = 2 * MOST
"""Of so many times as many as are wanted, enough are left then."""
STEP = 60
"""Hits that are looked up at once."""
_FAR = 2_654_435_761
"""A prime, 2^32 by the golden ratio: its multiples fall evenly, and in step with nothing."""
_AMONG = "doc IN (SELECT value FROM json_each(?))"


def conditions(only: Only) -> tuple[str, list[object]]:
    """Write the filters as SQL on `texts`, each begun with AND, and what they are given."""
    sql, given = "", list[object]()
    for column, values in (
        ("kind", only.kinds),
        ("project", only.projects),
        ("status", only.statuses),
    ):
        if values:
            sql += f" AND texts.{column} IN ({', '.join('?' * len(values))})"
            given += values
    for tag in only.tags:
        sql += " AND instr(texts.tags, ?)"
        given.append(f"\n{tag}\n")
    if only.since:
        sql += " AND texts.born >= ?"
        given.append(only.since)
    if only.until:
        sql += " AND texts.born BETWEEN 1 AND ?"
        given.append(only.until)
    for one in only.but:
        barred, by = conditions(one)
        sql += f" AND NOT (1{barred})"
        given += by
    return sql, given


def lets_many_through(db: Connection, only: Only) -> bool:
    """Try a filter on a few atoms, here and there."""
    where, given = conditions(only)
    (last,) = db.execute("SELECT ifnull(max(doc), 0) FROM texts").fetchone()
    some = json.dumps([1 + each * _FAR % max(last, 1) for each in range(SAMPLE)])
    sql = f"SELECT total(1{where}) FROM texts WHERE {_AMONG}"  # noqa: S608 - our own words
    (through,) = db.execute(sql, (*given, some)).fetchone()
    return bool(through >= SAMPLE / MOST)


def kept(
    db: Connection, hits: Sequence[tuple[int, float]], only: Only
) -> Iterator[tuple[int, float]]:
    """Give the hits that a filter lets through; no more are looked up than are asked for."""
    where, given = conditions(only)
    sql = f"SELECT doc FROM texts WHERE {_AMONG}{where}"  # noqa: S608 - our own words
    for start in range(0, len(hits), STEP):
        some = hits[start : start + STEP]
        rows = db.execute(sql, (json.dumps([doc for doc, _ in some]), *given))
        through = {doc for (doc,) in rows}
        yield from (hit for hit in some if hit[0] in through)
