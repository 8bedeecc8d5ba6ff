"""The atoms of a catalog, which are read when they are needed: a large tree has too many."""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from cortexfs.catalog.atom_rows import parse_atom_row
from cortexfs.core.atoms.atom import Finding, Ref
from cortexfs.core.atoms.tree_paths import project_from_path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from sqlite3 import Connection

    from cortexfs.core.atoms.atom import Atom

MAX_CACHED_REFS = 16_384
"""Maximum number of refs that are remembered, and a tenth as many atoms: links are often near."""
_ATOMS_SQL = "SELECT path, kind, ref, project, fields, marks FROM atoms"
_ATOMS_OF_KINDS_SQL = f"{_ATOMS_SQL} WHERE kind IN (SELECT value FROM json_each(?)) ORDER BY path"  # noqa: S608
_REFS_OF_KINDS_SQL = """
SELECT ref FROM atoms WHERE kind IN (SELECT value FROM json_each(?)) ORDER BY path"""
_ATOMS_OF_PATHS_SQL = f"{_ATOMS_SQL} WHERE path IN (SELECT value FROM json_each(?)) ORDER BY path"  # noqa: S608
_ATOMS_OF_REFS_SQL = f"{_ATOMS_SQL} WHERE ref IN (SELECT value FROM json_each(?)) ORDER BY path"  # noqa: S608
_REPEATED_SQL = "SELECT ref FROM atoms GROUP BY ref HAVING count(*) > 1 ORDER BY ref"
_FLAW_COLUMNS = """
a.path, json_extract(f.value, '$[0]') AS code, json_extract(f.value, '$[1]') AS message,
json_extract(f.value, '$[2]') AS line, json_extract(f.value, '$[3]') AS "column" """
_FLAWED = "FROM atoms a, json_each(a.marks, '$[3]') f WHERE a.codes != ''"
_HAS_PREFIX = """
 AND EXISTS (SELECT 1 FROM json_each(?) p WHERE substr(a.path, 1, length(p.value)) = p.value)"""
_FLAWS_SQL = f"""
SELECT {_FLAW_COLUMNS} {_FLAWED} %s AND a.path >= ?
AND (? IS NULL OR code IN (SELECT value FROM json_each(?)))
ORDER BY a.path, line, code, message, "column"
"""  # noqa: S608 - our own SQL
_COUNT_FLAWS_SQL = """
SELECT codes, project, count(*) FROM atoms a WHERE a.codes != '' %s GROUP BY codes, project"""
_DOUBTFUL_SQL = f"""
{_ATOMS_SQL} WHERE path IN (
  SELECT path FROM atoms WHERE NOT current
  UNION SELECT path FROM cites WHERE ref IN (SELECT ref FROM atoms WHERE NOT current)
  UNION SELECT path FROM cites WHERE NOT EXISTS (SELECT 1 FROM atoms WHERE atoms.ref = cites.ref)
) ORDER BY path
"""  # noqa: S608 - our own SQL
"""A ref that is not found in the project may mean an atom outside of it: that is doubtful."""
_FOLDERS_SQL = """
WITH RECURSIVE known (folder) AS (
  SELECT min(folder) FROM atoms UNION ALL
  SELECT (SELECT min(folder) FROM atoms WHERE folder > known.folder) FROM known
  WHERE known.folder IS NOT NULL
) SELECT folder FROM known
"""
"""SQLite reads the whole index for `SELECT DISTINCT`; this is one look for each folder."""


class StoredAtoms:
    """The atoms of one snapshot of a catalog, in path order and by ref."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._find = lru_cache(MAX_CACHED_REFS)(self._has_ref)
        self._load = lru_cache(MAX_CACHED_REFS // 10)(self._list_by_ref)

    def __iter__(self) -> Iterator[Atom]:
        return map(parse_atom_row, self._db.execute(f"{_ATOMS_SQL} ORDER BY path"))

    def __contains__(self, ref: object) -> bool:
        return self._find(ref)

    def __getitem__(self, ref: str) -> Sequence[Atom]:
        if not (found := self.list_by_ref(ref)):
            raise KeyError(ref)
        return found

    def iter_kinds(self, kinds: Collection[str]) -> Iterator[Atom]:
        """Yield the atoms of some kinds in path order."""
        rows = self._db.execute(_ATOMS_OF_KINDS_SQL, (json.dumps(sorted(kinds)),))
        return map(parse_atom_row, rows)

    def list_by_paths(self, paths: Iterable[str]) -> list[Atom]:
        """Return the atoms at some paths in path order."""
        return self._list_named(_ATOMS_OF_PATHS_SQL, paths)

    def list_by_refs(self, refs: Iterable[str]) -> list[Atom]:
        """Return the atoms with some refs in path order."""
        return self._list_named(_ATOMS_OF_REFS_SQL, refs)

    def iter_repeated(self) -> Iterator[Sequence[Atom]]:
        """Yield the atoms of each ref that several have."""
        return (self._list_by_ref(ref) for (ref,) in self._db.execute(_REPEATED_SQL))

    def iter_flaws(
        self,
        prefixes: Sequence[str] = ("",),
        codes: Collection[str] | None = None,
        start: str = "",
    ) -> Iterator[Finding]:
        """Yield the flaws of single atoms, with some codes or all, in path and line order.

        The path of an atom begins with one of the prefixes, and is not before `start`.
        """
        where, values = _to_sql(prefixes)
        wanted = None if codes is None else json.dumps(sorted(codes))
        rows = self._db.execute(_FLAWS_SQL % where, (*values, start, wanted, wanted))
        return map(Finding._make, rows)

    def count_flaws(self, prefixes: Sequence[str] = ("",)) -> Counter[tuple[str, str]]:
        """Return the number of flaws of each code and project, of the atoms with a prefix."""
        counts = Counter[tuple[str, str]]()
        where, values = _to_sql(prefixes)
        for codes, project, atoms in self._db.execute(_COUNT_FLAWS_SQL % where, values):
            for code in codes.split():
                counts[code, project] += atoms
        return counts

    def iter_refs(self, kinds: Collection[str]) -> Iterator[Ref]:
        """Yield the refs of the atoms of some kinds in path order."""
        rows = self._db.execute(_REFS_OF_KINDS_SQL, (json.dumps(sorted(kinds)),))
        return (Ref(ref) for (ref,) in rows)

    def iter_doubtful(self) -> Iterator[Atom]:
        """Yield the atoms that are not current, and those that name an atom that is not current."""
        return map(parse_atom_row, self._db.execute(_DOUBTFUL_SQL))

    def list_projects(self) -> Collection[str]:
        """Return the projects that have atoms."""
        folders = self._db.execute(_FOLDERS_SQL)
        return {project_from_path(f"{folder}/") for (folder,) in folders if folder is not None}

    def list_by_ref(self, ref: str) -> Sequence[Atom]:
        """Return the atoms with a ref in path order."""
        return self._load(ref)

    def _list_named(self, sql: str, names: Iterable[str]) -> list[Atom]:
        return list(map(parse_atom_row, self._db.execute(sql, (json.dumps(sorted(names)),))))

    def _has_ref(self, ref: str) -> bool:
        sql = "SELECT 1 FROM atoms WHERE ref = ? LIMIT 1"
        return self._db.execute(sql, (ref,)).fetchone() is not None

    def _list_by_ref(self, ref: str) -> list[Atom]:
        rows = self._db.execute(f"{_ATOMS_SQL} WHERE ref = ? ORDER BY path", (ref,))
        return [parse_atom_row(row) for row in rows]


def _to_sql(prefixes: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the condition that a path has one of some prefixes, and its parameters."""
    return ("", ()) if "" in prefixes else (_HAS_PREFIX, (json.dumps(prefixes),))
