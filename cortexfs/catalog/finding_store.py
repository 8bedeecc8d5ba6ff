"""Findings in their order: in memory if they are few, in a temporary file if they are many."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import finalize

from cortexfs.catalog.sqlite_errors import translate_sqlite_errors
from cortexfs.catalog.temporary_database import open_temporary_database
from cortexfs.core.atoms.atom import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from sqlite3 import Connection

_CREATE_SQL = """
CREATE TABLE findings (
    path TEXT, line INTEGER, code TEXT, message TEXT, "column" INTEGER,
    PRIMARY KEY (path, line, code, message, "column")
) WITHOUT ROWID
"""
_INSERT_SQL = "INSERT OR IGNORE INTO findings VALUES (?, ?, ?, ?, ?)"
_HAS_SQL = """
SELECT 1 FROM findings WHERE path = ? AND line = ? AND code = ? AND message = ? AND "column" = ?
"""
_SELECT_SQL = """
SELECT path, code, message, line, "column" FROM findings WHERE code = ifnull(?, code)
ORDER BY path, line, code, message, "column"
"""


class FindingStore:
    """Findings by path and line, each once; it does not depend on a view."""

    def __init__(
        self,
        db: Connection,
        only_code: str | None = None,
        owner: FindingStore | None = None,
    ) -> None:
        self._db = db
        self._only_code = only_code
        self._owner = owner
        """The store that closes the file when nothing refers to it any more."""

    @classmethod
    def collect(cls, findings: Iterable[Finding]) -> FindingStore:
        """Return a store of some findings."""
        db = open_temporary_database(_CREATE_SQL)
        store = cls(db, None)
        finalize(store, db.close)
        db.execute("BEGIN")
        db.executemany(_INSERT_SQL, map(_make_row, findings))
        db.execute("COMMIT")
        return store

    def __iter__(self) -> Iterator[Finding]:
        with translate_sqlite_errors():
            yield from map(Finding._make, self._db.execute(_SELECT_SQL, (self._only_code,)))

    def __contains__(self, finding: Finding) -> bool:
        if self._only_code not in {None, finding.code}:
            return False
        return self._db.execute(_HAS_SQL, _make_row(finding)).fetchone() is not None

    def __len__(self) -> int:
        return sum(self.count_by_code().values())

    def count_by_code(self) -> Mapping[str, int]:
        """Return the number of findings of each code."""
        rows = self._db.execute("SELECT code, count(*) FROM findings GROUP BY code")
        return {code: count for code, count in rows if self._only_code in {None, code}}

    def filter_code(self, code: str) -> FindingStore:
        """Return the findings of one code."""
        return FindingStore(self._db, code, self)


def _make_row(finding: Finding) -> tuple[str, int, str, str, int]:
    path, code, message, line, column = finding
    return to_valid_text(path), line, code, to_valid_text(message), column


def to_valid_text(text: str) -> str:
    """Return a text without half characters, which SQLite does not store."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()
