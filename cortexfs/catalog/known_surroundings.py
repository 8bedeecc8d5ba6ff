"""What an atom has in common with others: its session, its only link, nearby numbers."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.schema import read_data_version
from cortexfs.core.atoms.lifecycle import IndexMdSection, parse_atom_status
from cortexfs.core.atoms.tree_paths import is_personal_path
from cortexfs.core.find.score_context import NO_NEIGHBOURS, list_neighbour_keys

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from sqlite3 import Connection

MAX_GROUP_SIZE = 1000
"""The size from which groups are no longer counted."""
_NUMBER = re.compile(r"[0-9]{1,12}")
ATOMS_SQL = """
SELECT doc, t.path, t.folder, t.id, t.ref, t.status, ifnull(m.session, ''),
  ifnull(m.deleted_at, '')
FROM texts t LEFT JOIN memories m ON m.path = t.path
WHERE doc IN (SELECT value FROM json_each(?))
"""
ONLY_LINKS_SQL = """
SELECT atom, first, project FROM (
  SELECT value AS atom, (SELECT cited FROM links WHERE path = value LIMIT 1) AS first,
    (SELECT project FROM links WHERE path = value LIMIT 1) AS project
  FROM json_each(?)
) WHERE first IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM links WHERE path = atom AND cited != first)
"""
SESSION_SIZES_SQL = """
SELECT value, (SELECT count(*) FROM (SELECT 1 FROM memories WHERE session = value LIMIT ?))
FROM json_each(?)
"""
LINKING_SQL = """
SELECT value, (SELECT count(*) FROM (SELECT 1 FROM links WHERE cited = value LIMIT ?))
FROM json_each(?)
"""
PERSONAL = "\0"
"""The mark of groups of personal atoms."""


class AtomSurroundings(NamedTuple):
    """The groups of an atom, each empty if it is in none; `cited` is its only link as written."""

    doc: int
    path: str
    own_group: str
    is_outdated: bool
    session: str
    link: str
    cited: str
    neighbours: tuple[str, str]


class KnownSurroundings:
    """What surrounds atoms, kept while the catalog does not change."""

    def __init__(self, db: Connection, max_cached_atoms: int) -> None:
        self.db = db
        self.max_cached_atoms = max_cached_atoms
        self.cache_key = (-1, -1)
        self.atoms: dict[int, AtomSurroundings] = {}
        self.sizes: dict[tuple[str, str], int] = {}
        """The sizes of groups, by statement and name."""

    def list_atoms(self, docs: Collection[int]) -> list[AtomSurroundings]:
        """Return what surrounds some atoms; atoms that no longer exist are missing."""
        self._forget_if_changed()
        if unknown := {*docs}.difference(self.atoms):
            self.atoms.update((atom.doc, atom) for atom in _read_atoms(self.db, sorted(unknown)))
        return [self.atoms[doc] for doc in docs if doc in self.atoms]

    def count(self, sql: str, names: Collection[str]) -> Mapping[str, int]:
        """Return the sizes of some groups, which a statement counts."""
        if unknown := [name for name in dict.fromkeys(names) if (sql, name) not in self.sizes]:
            rows = self.db.execute(sql, (MAX_GROUP_SIZE, json.dumps(unknown)))
            self.sizes.update(((sql, name), size) for name, size in rows)
        return {name: self.sizes[sql, name] for name in names}

    def _forget_if_changed(self) -> None:
        now = (read_data_version(self.db), self.db.total_changes)
        largest = max(len(self.atoms), len(self.sizes))
        if now != self.cache_key or largest > self.max_cached_atoms:
            self.cache_key = now
            self.atoms.clear()
            self.sizes.clear()


def _read_atoms(db: Connection, docs: Sequence[int]) -> Iterator[AtomSurroundings]:
    """Yield what surrounds some atoms."""
    rows = db.execute(ATOMS_SQL, (json.dumps(docs),)).fetchall()
    links = _read_only_links(db, [path for _, path, *_ in rows])
    for doc, path, folder, ident, ref, status, session, deleted_at in rows:
        mark = PERSONAL if is_personal_path(path) else ""
        group, cited = links.get(path, ("", ""))
        number = _NUMBER.search(ident)
        yield AtomSurroundings(
            doc,
            path,
            f"{mark}{ref}",
            is_outdated=bool(deleted_at) or _is_outdated(status),
            session=session and f"{mark}{session}",
            link=group and f"{mark}{group}",
            cited=cited,
            neighbours=list_neighbour_keys(folder, int(number[0])) if number else NO_NEIGHBOURS,
        )


def _read_only_links(db: Connection, paths: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the only links of atoms that have one: as full refs, and as written."""
    rows = db.execute(ONLY_LINKS_SQL, (json.dumps(paths),))
    return {path: (_resolve(cited, project), cited) for path, cited, project in rows}


def _resolve(cited: str, project: str) -> str:
    """Return the full ref of a link from within a project."""
    return cited if "/" in cited or not project else f"{project}/{cited}"


def _is_outdated(status: str) -> bool:
    return parse_atom_status(status).section is not IndexMdSection.ACTIVE
