"""Lists of atoms with their reads: filtered, sorted and counted by SQLite."""
# ruff: noqa: S608 - the SQL is our own; values are parameters

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.atom_rows import make_entry
from cortexfs.core.atoms.lifecycle import IndexMdSection
from cortexfs.core.find.atom_criteria import EVERY_ATOM, NO_FILTER, AtomCriteria, SortKey
from cortexfs.core.indexes.atom_with_reads import COLD_DAYS, HOT_READ_COUNT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date
    from sqlite3 import Connection

    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads

    Condition = tuple[str, list[object]]
    """An SQL condition, and its parameters."""

_PATH = "folder || '/' || name"
_BY_READS = ("reads DESC", "born DESC", "number", "shown_id", _PATH)
_SECTIONS = " ".join(f"WHEN '{each}' THEN {at}" for at, each in enumerate(IndexMdSection))
_PREFIX = "substr(shown_id, 1, instr(shown_id || '-', '-') - 1)"
_ORDERS = {
    SortKey.READS: _BY_READS,
    SortKey.DATE: ("born DESC", "second DESC", *_BY_READS),
    SortKey.ID: ("project", _PREFIX, "number", "shown_id", *_BY_READS),
    SortKey.STATUS: (f"CASE section {_SECTIONS} END", "status", *_BY_READS),
    SortKey.TITLE: ("title", *_BY_READS),
}
"""The columns of each order: most read, newest, or first by id, status or title; ties by reads."""
_IS_ACTIVE = f"section = '{IndexMdSection.ACTIVE}'"
_IS_HOT = f"({_IS_ACTIVE} AND reads >= {HOT_READ_COUNT})"
_IS_COLD = f"({_IS_ACTIVE} AND reads = 0 AND arrived > 0 AND arrived < ? - {COLD_DAYS})"
_ATOM_SQL = "SELECT path, kind, ref, project, fields FROM atoms WHERE path = ?"
_FIELD = f"(SELECT json_extract(fields, '$.%s') FROM atoms WHERE path = {_PATH})"

_DELETED_AT = _FIELD % '"deleted-at"'


class EntryCell(NamedTuple):
    """The atoms of one kind, status and project: how many, their reads, and the latest day.

    The day is an ordinal; 0: none has a date.
    """

    kind: str
    status: str
    project: str
    atoms: int
    reads: int
    hot: int
    cold: int
    latest: int


class EntryQueries(NamedTuple):
    """The queries on the atoms with an id; `today` is the day for what is cold."""

    db: Connection
    today: date

    def iter_entries(
        self,
        wanted: AtomCriteria = EVERY_ATOM,
        sort: SortKey = SortKey.READS,
        *,
        reverse: bool = False,
        limit: int | None = None,
        offset: int = 0,
    ) -> Iterator[AtomWithReads]:
        """Yield the matching atoms in an order."""
        where, values = self._to_sql(wanted)
        sql = (
            f"SELECT {_PATH}, reads, last_read FROM rows WHERE {where}"
            f" ORDER BY {_format_order(sort, reverse=reverse)} LIMIT ? OFFSET ?"
        )
        part = (-1 if limit is None else limit, offset)
        for path, *reads in self.db.execute(sql, (*values, *part)):
            yield make_entry(self.db.execute(_ATOM_SQL, (path,)).fetchone(), *reads)

    def find_entry(self, path: str) -> AtomWithReads | None:
        """Return the atom at a path; None if it has no id, or cannot be read."""
        folder, _, name = path.rpartition("/")
        sql = "SELECT reads, last_read FROM rows WHERE folder = ? AND name = ?"
        reads = self.db.execute(sql, (folder, name)).fetchone()
        return reads and make_entry(self.db.execute(_ATOM_SQL, (path,)).fetchone(), *reads)

    def find_position(
        self, path: str, wanted: AtomCriteria, sort: SortKey, *, reverse: bool = False
    ) -> int:
        """Return the position of an atom in a list, from 1 on; 0 if it is not in it."""
        where, values = self._to_sql(wanted)
        order = _format_order(sort, reverse=reverse)
        sql = (
            f"SELECT position FROM (SELECT {_PATH} AS path, row_number() OVER (ORDER BY {order})"
            f" AS position FROM rows WHERE {where}) WHERE path = ?"
        )
        found = self.db.execute(sql, (*values, path)).fetchone()
        return int(found[0]) if found else 0

    def count(self, wanted: AtomCriteria) -> int:
        """Return how many atoms match."""
        where, values = self._to_sql(wanted)
        return int(
            self.db.execute(f"SELECT count(*) FROM rows WHERE {where}", values).fetchone()[0]
        )

    def count_cells(self, only: AtomFilter = NO_FILTER) -> list[EntryCell]:
        """Return the matching atoms, counted by kind, status and project."""
        where, values = self._to_sql(AtomCriteria(only))
        sql = (
            f"SELECT kind, status, project, count(*), sum(reads), sum({_IS_HOT}), sum({_IS_COLD}),"
            f" max(born) FROM rows WHERE {where} GROUP BY 1, 2, 3"
        )
        return [EntryCell(*row) for row in self.db.execute(sql, (self.today.toordinal(), *values))]

    def count_reads_since(self, day: str, only: AtomFilter = NO_FILTER) -> int:
        """Return the number of reads of the matching atoms since a day (ISO 8601)."""
        where, values = self._to_sql(AtomCriteria(only))
        sql = (
            "SELECT count(DISTINCT project || '/' || file || '/' || note) FROM looks WHERE ts >= ?"
            " AND EXISTS (SELECT 1 FROM rows WHERE rows.name = looks.file"
            f" AND rows.project = looks.project AND {where})"
        )
        return int(self.db.execute(sql, (day, *values)).fetchone()[0])

    def iter_tags(self, only: AtomFilter = NO_FILTER) -> Iterator[tuple[str, int, list[str]]]:
        """Yield project, number of atoms, and tags of the matching atoms with equal tags."""
        where, values = self._to_sql(AtomCriteria(only))
        sql = f"SELECT project, count(*), tags FROM rows WHERE {where} GROUP BY project, tags"
        read = json.JSONDecoder().decode
        for project, count, tags in self.db.execute(sql, values):
            yield project, count, read(tags)

    def list_tags(self) -> set[str]:
        """Return every tag of an atom, as written."""
        rows = self.db.execute("SELECT DISTINCT tags FROM rows")
        return {tag for (tags,) in rows for tag in json.loads(tags)}

    def _to_sql(self, wanted: AtomCriteria) -> Condition:
        """Return the conditions, and their parameters."""
        found, values = self._filter_to_sql(wanted.only)
        if wanted.hot:
            found += f" AND {_IS_HOT}"
        if wanted.cold:
            found += f" AND {_IS_COLD}"
            values.append(self.today.toordinal())
        return found, values

    def _filter_to_sql(self, only: AtomFilter) -> Condition:
        """Return the conditions of a filter; entities are none of them."""
        found, values = "1", list[object]()
        for column, names in _list_columns(only):
            found += f" AND {column} IN (SELECT value FROM json_each(?))"
            values.append(json.dumps(names))
        for tag in only.tags:
            found += " AND EXISTS (SELECT 1 FROM json_each(tags) t, json_each(?) w USING (value))"
            values.append(json.dumps(self._list_spellings(tag)))
        if only.since:
            found += " AND born >= ?"
            values.append(only.since)
        if only.until:
            found += " AND born BETWEEN 1 AND ?"
            values.append(only.until)
        if only.without_deleted:
            found += f" AND ifnull({_DELETED_AT}, '') = ''"
        for one in only.excluded:
            excluded, more = self._filter_to_sql(one)
            found += f" AND NOT ({excluded})"
            values += more
        return found, values

    def _list_spellings(self, folded: str) -> list[str]:
        """Return the tags that are equal to a folded one, as written."""
        from cortexfs.core.find.tokenize import fold_text  # noqa: PLC0415 - few ask for tags

        return [tag for tag in self.list_tags() if fold_text(tag) == folded]


def _list_columns(only: AtomFilter) -> list[tuple[str, Sequence[str]]]:
    """Return the columns of which one of some values is wanted."""
    every = (
        ("kind", only.kinds),
        ("project", only.projects),
        ("status", only.statuses),
        (_FIELD % "type", only.types),
        (_FIELD % "scope", only.scopes),
    )
    return [(column, names) for column, names in every if names]


def _format_order(sort: SortKey, *, reverse: bool) -> str:
    """Return the columns of an order; the reverse of it turns each of them around."""
    columns = dict.fromkeys(_ORDERS[sort])
    return ", ".join(_turn_around(each) if reverse else each for each in columns)


def _turn_around(column: str) -> str:
    return column.removesuffix(" DESC") if column.endswith(" DESC") else f"{column} DESC"
