"""The rows of files that have none yet, computed in one process and inserted by another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.ingest_file import ingest_file
from cortexfs.catalog.schema import insert_rows

if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection

    from cortexfs.catalog.schema import Cells
    from cortexfs.core.atoms.atom import FileText, Flaw
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.changes.compare_stamps import FileStamp

    Inserts = list[tuple[str, list[Cells]]]


FILES_PER_STATEMENT = 100
"""Number of files whose rows are inserted at once."""


class NewRows(NamedTuple):
    """The digest of a new file, and the statements that insert its rows."""

    digest: bytes
    inserts: Inserts


class _StatementList(NamedTuple):
    """Statements with their rows, to be run by another process."""

    inserts: Inserts

    def executemany(self, sql: str, rows: Iterable[Cells], /) -> None:
        """Keep a statement and its rows."""
        self.inserts.append((sql, list(rows)))


def make_new_rows(kinds: Kinds, path: str, source: FileText | Flaw, digest: bytes) -> NewRows:
    """Return the rows of a file that was read."""
    statements = _StatementList([])
    ingest_file(statements, kinds, path, source)
    return NewRows(digest, statements.inserts)


class NewFiles(NamedTuple):
    """New files to be inserted: each statement runs once for many of them."""

    db: Connection
    added: list[tuple[str, FileStamp, NewRows]]

    def add(self, path: str, stamp: FileStamp, rows: NewRows) -> None:
        """Add a file; it is inserted with others, at the latest by `insert`."""
        self.added.append((path, stamp, rows))
        if len(self.added) == FILES_PER_STATEMENT:
            self.insert()

    def insert(self) -> None:
        """Insert the rows of the files, and their stamps."""
        inserts: dict[str, list[Cells]] = {}
        for _, _, rows in self.added:
            for sql, cells in rows.inserts:
                inserts.setdefault(sql, []).extend(cells)
        for sql, cells in inserts.items():
            self.db.executemany(sql, cells)
        insert_rows(
            self.db, "files", [(path, *stamp, rows.digest) for path, stamp, rows in self.added]
        )
        self.added.clear()
