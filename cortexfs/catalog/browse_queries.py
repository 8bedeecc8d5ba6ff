"""Pages of one list of everything that is stored: filtered, counted and sorted by SQLite."""
# ruff: noqa: S608 - the SQL is our own; values are parameters

from __future__ import annotations

import json
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from cortexfs.catalog.search_filters import filter_to_sql
from cortexfs.core.atoms.atom import Ref
from cortexfs.core.atoms.tree_paths import project_from_path
from cortexfs.tree.non_atoms import iter_text_digests

if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection

    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.tree.tree import Tree

_WITH_READS = "texts LEFT JOIN rows r ON r.folder = texts.folder AND r.name = texts.name"
_READ_COUNT, _LAST_READ = "ifnull(r.reads, 0)", "ifnull(r.last_read, '')"
SORT_COLUMNS = {
    "date": ("texts.born", "texts.created"),
    "reads": (_READ_COUNT,),
    "last-read": (_LAST_READ,),
    "title": ("lower(texts.summary)",),
    "ref": ("texts.project || texts.kind || printf('%02d', length(texts.id)) || texts.id",),
    "kind": ("texts.kind",),
    "project": ("texts.project",),
    "status": ("texts.status",),
}
"""The orders of the list, by name; ties are newest first."""
_ROWS = f"""SELECT texts.ref, texts.path, texts.kind, texts.project, texts.status, texts.summary,
texts.born, texts.created, {_READ_COUNT}, {_LAST_READ}, texts.archived
FROM json_each(?) w CROSS JOIN texts ON texts.doc = w.value
LEFT JOIN rows r ON r.folder = texts.folder AND r.name = texts.name ORDER BY w.key"""
"""The rows of some documents, in their order."""
_READ_SORTS = ("reads", "last-read")
_TIES = ("texts.born DESC", "texts.created DESC", "length(texts.id) DESC", "texts.id DESC")


class BrowseFilter(NamedTuple):
    """Conditions on what is listed; `text` is a part of the ref, the summary or a tag."""

    only: AtomFilter
    text: str = ""
    origins: tuple[str, ...] = ()
    archived: bool = False
    """Whether memories that were deleted softly are listed, instead of the others."""


class BrowseCell(NamedTuple):
    """What the list is counted by."""

    kind: str
    project: str
    status: str
    origin: str
    is_archived: int


class BrowseRow(NamedTuple):
    """One atom of the list; `born` is its day as an ordinal (0: unknown), `created` in UTC."""

    ref: Ref
    path: str
    kind: str
    project: str
    status: str
    summary: str
    born: int
    created: str
    read_count: int
    last_read: str
    is_archived: int


class BrowseQueries(NamedTuple):
    """The queries on a catalog; the view must have begun with `NeededContents.TEXTS`."""

    db: Connection
    tree: Tree
    kinds: Kinds

    def list_rows(
        self, chosen: BrowseFilter, sort: str, limit: int, offset: int, *, descending: bool
    ) -> list[BrowseRow]:
        """Return a part of the list in an order of `SORT_COLUMNS`."""
        where, values = _to_sql(chosen)
        tables = _WITH_READS if sort in _READ_SORTS else "texts"
        columns = [f"{each} {'DESC' if descending else 'ASC'}" for each in SORT_COLUMNS[sort]]
        order = ", ".join(dict.fromkeys((*columns, *_TIES, "texts.path")))
        sql = f"SELECT texts.doc FROM {tables} WHERE 1{where} ORDER BY {order} LIMIT ? OFFSET ?"
        return self._list_docs(sql, (*values, limit, offset))

    def _list_docs(self, sql: str, values: tuple[object, ...]) -> list[BrowseRow]:
        docs = [doc for (doc,) in self.db.execute(sql, values)]
        return [_make_row(row) for row in self.db.execute(_ROWS, (json.dumps(docs),))]

    def count(self, chosen: BrowseFilter) -> int:
        """Return how many atoms match."""
        where, values = _to_sql(chosen)
        sql = f"SELECT count(*) FROM texts WHERE 1{where}"
        return int(self.db.execute(sql, values).fetchone()[0])

    def count_cells(self, chosen: BrowseFilter) -> dict[BrowseCell, int]:
        """Return the number of atoms of each kind, project, status and origin, archived or not.

        Of the conditions only text, tags and dates are applied: one pass gives every facet.
        """
        only = chosen.only._replace(kinds=(), projects=(), statuses=())
        where, values = _to_sql(BrowseFilter(only, chosen.text), any_state=True)
        sql = (
            "SELECT texts.kind, texts.project, texts.status, texts.origin, texts.archived, count(*)"
            f" FROM texts WHERE 1{where} GROUP BY 1, 2, 3, 4, 5"
        )
        return {BrowseCell(*row[:5]): row[5] for row in self.db.execute(sql, values)}

    def list_refs(self, chosen: BrowseFilter, limit: int) -> list[Ref]:
        """Return the refs of the matching atoms, in path order."""
        where, values = _to_sql(chosen)
        sql = f"SELECT texts.ref FROM texts WHERE 1{where} ORDER BY texts.path LIMIT ?"
        return [Ref(ref) for (ref,) in self.db.execute(sql, (*values, limit))]

    def count_by_project(self) -> dict[str, int]:
        """Return the number of atoms of each project that are not archived."""
        sql = "SELECT project, sum(NOT archived) FROM texts GROUP BY 1 HAVING sum(NOT archived)"
        return dict(self.db.execute(sql).fetchall())

    def digest_other_texts(self) -> str:
        """Return a text that is another one if a text that is no atom has changed."""
        total = blake2b(digest_size=8)
        for path, digest in iter_text_digests(self.tree.root, self.kinds):
            total.update(b"%b %b" % (path.encode(errors="surrogateescape"), digest))
        return total.hexdigest()

    def list_unread(self, limit: int) -> list[BrowseRow]:
        """Return the atoms that were never read, oldest first; each has a date."""
        where = f"texts.archived = 0 AND texts.born > 0 AND {_READ_COUNT} = 0"
        sql = (
            f"SELECT texts.doc FROM {_WITH_READS} WHERE {where}"
            " ORDER BY texts.born, texts.path LIMIT ?"
        )
        return self._list_docs(sql, (limit,))

    def list_most_read(self, least: int, limit: int) -> list[BrowseRow]:
        """Return the atoms that were read some times or more, most read first, then newest."""
        sql = (
            "SELECT texts.doc FROM rows r"
            " CROSS JOIN texts ON texts.path = r.folder || '/' || r.name"
            " WHERE r.reads >= ? AND texts.archived = 0"
            f" ORDER BY r.reads DESC, {', '.join(_TIES)}, texts.path LIMIT ?"
        )
        return self._list_docs(sql, (least, limit))

    def count_reads_by_day(self, since: str) -> dict[str, int]:
        """Return the number of reads of each day (ISO 8601) since one."""
        sql = (
            "SELECT substr(ts, 1, 10), count(DISTINCT project || '/' || file || '/' || note)"
            " FROM looks WHERE ts >= ? GROUP BY 1"
        )
        return dict(self.db.execute(sql, (since,)).fetchall())

    def list_reads(self, path: str, limit: int) -> list[tuple[str, str]]:
        """Return the time and the session of the latest reads of an atom, newest first."""
        sql = (
            "SELECT max(ts), max(session) FROM looks WHERE project = ? AND file = ?"
            " GROUP BY note ORDER BY 1 DESC LIMIT ?"
        )
        named = (project_from_path(path), path.rpartition("/")[2], limit)
        return self.db.execute(sql, named).fetchall()


def _to_sql(chosen: BrowseFilter, *, any_state: bool = False) -> tuple[str, tuple[object, ...]]:
    where, values = filter_to_sql(chosen.only)
    if not any_state:
        where += f" AND texts.archived = {int(chosen.archived)}"
    # SQLite's own function is faster, and knows ASCII
    fold = "lower" if chosen.text.isascii() else "fold_case"
    for word in chosen.text.casefold().split():
        where += f" AND instr({fold}(texts.ref || ' ' || texts.summary || texts.tags), ?)"
        values.append(word)
    if chosen.origins:
        where += " AND texts.origin IN (SELECT value FROM json_each(?))"
        values.append(json.dumps(chosen.origins))
    return where, tuple(values)


def _make_row(row: Sequence[Any]) -> BrowseRow:
    return BrowseRow._make(row)
