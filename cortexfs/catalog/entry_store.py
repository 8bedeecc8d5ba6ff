"""Atoms in the order of their keys, in a temporary file: for more than fit into memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from weakref import finalize

from cortexfs.catalog.atom_rows import freeze_fields
from cortexfs.catalog.sqlite_errors import translate_sqlite_errors
from cortexfs.catalog.temporary_database import open_temporary_database
from cortexfs.core.access.access_log import ReadStats
from cortexfs.core.atoms.atom import Atom, Ref
from cortexfs.core.indexes.atom_with_reads import AtomWithReads

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from sqlite3 import Connection

    SortedEntry = tuple[tuple[int | str, ...], AtomWithReads]

MAX_KEYS = 9
_KEYS = tuple(f"key{number}" for number in range(MAX_KEYS))
_CREATE_SQL = f"""
CREATE TABLE entries ({", ".join(_KEYS)}, path, kind, ref, project, fields, refs, last)
"""
_INSERT_SQL = f"INSERT INTO entries VALUES ({', '.join('?' * (MAX_KEYS + 7))})"  # noqa: S608 - our own names
_SELECT_SQL = "SELECT path, kind, ref, project, fields, refs, last FROM entries"
_encode_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_decode_json = json.JSONDecoder().decode


class EntryStore:
    """Atoms with their reads, in the order of their keys; it does not depend on a view."""

    def __init__(self, db: Connection, *, is_reversed: bool, limit: int | None) -> None:
        self._db = db
        self._is_reversed = is_reversed
        self._limit = -1 if limit is None else limit
        finalize(self, db.close)

    @classmethod
    def collect(
        cls, entries: Iterable[SortedEntry], *, is_reversed: bool, limit: int | None
    ) -> EntryStore:
        """Return the first of atoms with keys, which have at most `MAX_KEYS` parts."""
        db = open_temporary_database(_CREATE_SQL)
        store = cls(db, is_reversed=is_reversed, limit=limit)
        db.execute("BEGIN")
        db.executemany(_INSERT_SQL, (_make_row(key, entry) for key, entry in entries))
        db.execute("COMMIT")
        return store

    def __iter__(self) -> Iterator[AtomWithReads]:
        direction = " DESC" if self._is_reversed else ""
        order = ", ".join(f"{key}{direction}" for key in _KEYS)
        sql = f"{_SELECT_SQL} ORDER BY {order} LIMIT {self._limit}"
        with translate_sqlite_errors():
            for path, kind, ref, project, fields, *reads in self._db.execute(sql):
                atom = Atom(path, kind, Ref(ref), project, freeze_fields(_decode_json(fields)))
                yield AtomWithReads.from_atom(atom, ReadStats._make(reads))

    def __len__(self) -> int:
        (count,) = self._db.execute("SELECT count(*) FROM entries").fetchone()
        return int(count if self._limit < 0 else min(count, self._limit))


def _make_row(key: tuple[int | str, ...], entry: AtomWithReads) -> tuple[int | str | None, ...]:
    path, kind, ref, project, fields, *_ = entry.atom
    rest = (None,) * (MAX_KEYS - len(key))
    return (*key, *rest, path, kind, ref, project, _encode_json(dict(fields)), *entry.reads)
