"""The refs, paths and names of atoms, in a temporary file: for more than fit into memory."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import finalize

from cortexfs.catalog.finding_store import to_valid_text
from cortexfs.catalog.temporary_database import open_temporary_database
from cortexfs.core.atoms.atom import Ref

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from sqlite3 import Connection

    from cortexfs.core.renaming.name_meanings import NamedAtom

_CREATE_SQL = """
CREATE TABLE atoms (position INTEGER PRIMARY KEY, ref TEXT, path TEXT);
CREATE INDEX atoms_by_ref ON atoms (ref);
CREATE INDEX atoms_by_path ON atoms (path);
CREATE TABLE names (name TEXT, position INTEGER, PRIMARY KEY (name, position)) WITHOUT ROWID
"""
_LIST_SQL = "SELECT ref, path FROM names JOIN atoms USING (position) WHERE name = ?"


class NameStore:
    """The names of atoms; of atoms with the same ref the first counts."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        finalize(self, db.close)

    @classmethod
    def collect(cls, atoms: Iterable[NamedAtom]) -> NameStore:
        """Return a store of some atoms in their order."""
        db = open_temporary_database(_CREATE_SQL)
        store = cls(db)
        db.execute("BEGIN")
        for position, (ref, path, names) in enumerate(atoms):
            row = (position, to_valid_text(ref), to_valid_text(path))
            db.execute("INSERT INTO atoms VALUES (?, ?, ?)", row)
            each = ((to_valid_text(name), position) for name in names)
            db.executemany("INSERT OR IGNORE INTO names VALUES (?, ?)", each)
        db.execute("COMMIT")
        return store

    def has_ref(self, ref: str) -> bool:
        """Return whether an atom has this ref."""
        return bool(self.find_path(ref))

    def find_path(self, ref: str) -> str:
        """Return the path of the first atom with a ref; empty if there is none."""
        sql = "SELECT path FROM atoms WHERE ref = ? ORDER BY position LIMIT 1"
        return self._find(sql, ref)

    def find_ref(self, path: str) -> str:
        """Return the ref of the atom at a path; empty if there is none."""
        return self._find("SELECT ref FROM atoms WHERE path = ? ORDER BY position DESC", path)

    def list_by_name(self, name: str) -> Sequence[tuple[Ref, str]]:
        """Return ref and path of each atom with a name for wiki links."""
        rows = self._db.execute(_LIST_SQL, (to_valid_text(name),))
        return [(Ref(ref), path) for ref, path in rows]

    def _find(self, sql: str, name: str) -> str:
        row: tuple[str] | None = self._db.execute(sql, (to_valid_text(name),)).fetchone()
        return row[0] if row else ""
