"""Entities that the texts of a tree mention, and the atoms and lines that mention them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.catalog.search_filters import format_sql_conditions
from cortexfs.core.find.entities import EntityCount, Mention

if TYPE_CHECKING:
    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.find.atom_filter import AtomFilter


def count_entities(catalog: Catalog, sort: str, only: AtomFilter, most: int) -> list[EntityCount]:
    """Return the entities that most matching atoms mention, of one sort or (empty) of all."""
    where, given = format_sql_conditions(only)
    rows = catalog.db.execute(
        "SELECT sort, m.name, count(*) FROM mentions m JOIN texts USING (path)"  # noqa: S608
        f" WHERE ? IN ('', sort){where}"
        " GROUP BY sort, m.name ORDER BY count(*) DESC, m.name, sort LIMIT ?",
        (sort, *given, most),
    )
    return [EntityCount(*row) for row in rows]


def find_mentions(catalog: Catalog, name: str, sort: str, only: AtomFilter) -> list[Mention]:
    """Return the matching atoms that mention an entity, in path order; if none, a similar one."""
    where, given = format_sql_conditions(only)
    for fits in ("m.name = ?", "instr(lower(m.name), lower(?))"):
        rows = catalog.db.execute(
            "SELECT sort, m.name, ref, path, line, status, summary FROM mentions m"  # noqa: S608
            f" JOIN texts USING (path) WHERE {fits} AND ? IN ('', sort){where}"
            " ORDER BY m.name, path, sort",
            (name, sort, *given),
        )
        if found := [Mention(*row) for row in rows]:
            return found
    return []
