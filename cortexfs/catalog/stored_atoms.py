"""The atoms of a catalog, which are read when they are needed: a large tree has too many."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from cortexfs.catalog.atom_rows import parse_atom_row
from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.lifecycle import IndexMdSection

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from sqlite3 import Connection

    from cortexfs.core.atoms.atom import Atom

MAX_CACHED_REFS = 16_384
"""Maximum number of refs that are remembered, and a tenth as many atoms: links are often near."""
_ATOMS_SQL = "SELECT path, kind, ref, project, fields, marks FROM atoms"
_ATOMS_OF_KINDS_SQL = f"{_ATOMS_SQL} WHERE kind IN (SELECT value FROM json_each(?)) ORDER BY path"  # noqa: S608
_ATOMS_OF_PATHS_SQL = f"{_ATOMS_SQL} WHERE path IN (SELECT value FROM json_each(?)) ORDER BY path"  # noqa: S608
_ATOMS_OF_REFS_SQL = f"{_ATOMS_SQL} WHERE ref IN (SELECT value FROM json_each(?)) ORDER BY path"  # noqa: S608
_REPEATED_SQL = "SELECT ref FROM atoms GROUP BY ref HAVING count(*) > 1 ORDER BY ref"
_FLAWS_SQL = "SELECT path, json_extract(marks, '$[3]') FROM atoms WHERE marks NOT LIKE '%,[]]'"
_FULL_REF = """
CASE WHEN a.project = '' OR instr(cited, '/') THEN cited ELSE a.project || '/' || cited END"""
_DOUBTFUL_SQL = f"""
WITH not_current (ref) AS MATERIALIZED (
  SELECT a.ref FROM atoms a
  LEFT JOIN rows r ON r.folder = a.folder AND r.name = substr(a.path, length(a.folder) + 2)
  WHERE r.section IS NOT '{IndexMdSection.ACTIVE}')
{_ATOMS_SQL} a WHERE a.ref IN not_current OR EXISTS (
  SELECT 1 FROM (
    SELECT json_extract(value, '$[0]') AS cited FROM json_each(a.marks, '$[1]')
    UNION ALL SELECT value FROM json_each(a.marks, '$[2]'))
  WHERE {_FULL_REF} NOT IN (SELECT ref FROM atoms) OR {_FULL_REF} IN not_current)
ORDER BY path
"""  # noqa: S608 - our own SQL
"""A ref that is not found in the project may mean an atom outside of it: that is doubtful."""


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

    def iter_flawed(self) -> Iterator[tuple[str, Sequence[Flaw]]]:
        """Yield the path of each atom with flaws, and these."""
        for path, flaws in self._db.execute(_FLAWS_SQL):
            yield path, [Flaw(*flaw) for flaw in json.loads(flaws)]

    def iter_doubtful(self) -> Iterator[Atom]:
        """Yield the atoms that are not current, and those that name an atom that is not current."""
        return map(parse_atom_row, self._db.execute(_DOUBTFUL_SQL))

    def list_projects(self) -> Collection[str]:
        """Return the projects that have atoms."""
        return {project for (project,) in self._db.execute("SELECT DISTINCT project FROM atoms")}

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
