"""Atoms in their order, in a temporary file: for more than fit into memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from weakref import finalize

from cortexfs.catalog.atom_rows import make_entry
from cortexfs.catalog.sqlite_errors import translate_sqlite_errors
from cortexfs.catalog.temporary_database import open_temporary_database

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from sqlite3 import Connection

    from cortexfs.core.indexes.atom_with_reads import AtomWithReads

_CREATE_SQL = "CREATE TABLE entries (path, kind, ref, project, fields, reads, last)"
_INSERT_SQL = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)"
_encode_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class EntryStore:
    """Atoms with their reads, in their order; it does not depend on a view."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        finalize(self, db.close)

    @classmethod
    def collect(cls, entries: Iterable[AtomWithReads]) -> EntryStore:
        """Return a store of atoms."""
        db = open_temporary_database(_CREATE_SQL)
        store = cls(db)
        db.execute("BEGIN")
        db.executemany(_INSERT_SQL, map(_make_row, entries))
        db.execute("COMMIT")
        return store

    def __iter__(self) -> Iterator[AtomWithReads]:
        with translate_sqlite_errors():
            for *row, reads, last in self._db.execute("SELECT * FROM entries ORDER BY rowid"):
                yield make_entry(row, reads, last)

    def __len__(self) -> int:
        (count,) = self._db.execute("SELECT count(*) FROM entries").fetchone()
        return int(count)


def _make_row(entry: AtomWithReads) -> tuple[str | int, ...]:
    path, kind, ref, project, fields, *_ = entry.atom
    return (path, kind, ref, project, _encode_json(dict(fields)), *entry.reads)
