"""Look up what surrounds the matches of a query: sessions, links, and the numbers of atoms."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.search_filters import estimate_passing_share
from cortexfs.core.atoms.lifecycle import IndexMdSection, parse_atom_status
from cortexfs.core.atoms.tree_paths import is_personal_path
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.find.score_context import Groups, Matches, group_neighbours, score_context

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from sqlite3 import Connection

    from cortexfs.core.find.score_context import TermScores

MAX_GROUP_SIZE = 1000
"""The size from which groups are no longer counted."""
_NUMBER = re.compile(r"[0-9]{1,12}")
_ATOMS_SQL = """
SELECT doc, t.path, t.folder, t.id, t.ref, t.status, ifnull(m.session, ''),
  ifnull(m.deleted_at, '')
FROM texts t LEFT JOIN memories m ON m.path = t.path
WHERE doc IN (SELECT value FROM json_each(?)) ORDER BY t.path
"""
_ONLY_LINKS_SQL = """
SELECT atom, first, project FROM (
  SELECT value AS atom, (SELECT cited FROM links WHERE path = value LIMIT 1) AS first,
    (SELECT project FROM links WHERE path = value LIMIT 1) AS project
  FROM json_each(?)
) WHERE first IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM links WHERE path = atom AND cited != first)
"""
_SESSION_SIZES_SQL = """
SELECT value, (SELECT count(*) FROM (SELECT 1 FROM memories WHERE session = value LIMIT ?))
FROM json_each(?)
"""
_LINKING_SQL = """
SELECT value, (SELECT count(*) FROM (SELECT 1 FROM links WHERE cited = value LIMIT ?))
FROM json_each(?)
"""


class _Atom(NamedTuple):
    """What an atom has in common with others."""

    doc: int
    path: str
    folder: str
    ident: str
    ref: str
    status: str
    session: str
    deleted_at: str

    @property
    def is_outdated(self) -> bool:
        section = parse_atom_status(self.status).section
        return bool(self.deleted_at) or section is not IndexMdSection.ACTIVE


def find_context_scores(
    db: Connection,
    only: AtomFilter,
    text_count: int,
    term_scores: TermScores,
    rarities: Sequence[float],
) -> dict[int, float]:
    """Return what its surroundings add to the score of each match; only matches are looked at.

    A match has a score for each term, at most as high as its rarity. Personal atoms are surrounded
    by personal ones only. `text_count` is the number of texts before the filter.
    """
    rows = db.execute(_ATOMS_SQL, (json.dumps(list(term_scores)),))
    atoms = [_Atom(*row) for row in rows]
    known = {atom.doc: term_scores[atom.doc] for atom in atoms}
    outdated = {atom.doc for atom in atoms if atom.is_outdated}
    share = 1.0 if only == AtomFilter() else estimate_passing_share(db, only)
    matches = Matches(known, rarities, outdated, round(text_count * share))
    neighbours = group_neighbours(_number_atoms(atoms))
    sorts = (_group_by_session(db, atoms), _group_by_link(db, atoms), *neighbours)
    return score_context(matches, sorts)


def _number_atoms(atoms: Iterable[_Atom]) -> dict[str, dict[int, int]]:
    """Return the numbers of atoms, by folder."""
    numbers: dict[str, dict[int, int]] = defaultdict(dict)
    for atom in atoms:
        if found := _NUMBER.search(atom.ident):
            numbers[atom.folder][atom.doc] = int(found[0])
    return numbers


def _group_by_session(db: Connection, atoms: Iterable[_Atom]) -> Groups:
    """Return the groups of atoms with the same session."""
    members: dict[str, list[int]] = defaultdict(list)
    for atom in atoms:
        if atom.session:
            members[_mark_personal(atom.session, atom.path)].append(atom.doc)
    names = {key: key.removeprefix(_PERSONAL) for key, docs in members.items() if len(docs) > 1}
    sizes = _count(db, _SESSION_SIZES_SQL, names.values())
    return Groups(members, {key: sizes[name] for key, name in names.items()})


def _group_by_link(db: Connection, atoms: Sequence[_Atom]) -> Groups:
    """Return the groups of atoms whose only link is to the same one, which belongs to its group.

    Atoms with more links belong to none of these: what they name is seldom what they are about.
    """
    by_path = {atom.path: atom for atom in atoms}
    members: dict[str, dict[int, None]] = defaultdict(dict)
    names: dict[str, str] = {}
    for path, cited, project in db.execute(_ONLY_LINKS_SQL, (json.dumps(list(by_path)),)):
        key = _mark_personal(_resolve(cited, project), path)
        members[key][by_path[path].doc] = None
        names[key] = cited
    for atom in atoms if members else ():
        if (key := _mark_personal(atom.ref, atom.path)) in members:
            members[key][atom.doc] = None
    shared = {key: cited for key, cited in names.items() if len(members[key]) > 1}
    sizes = _count(db, _LINKING_SQL, shared.values())
    return Groups(
        {key: list(docs) for key, docs in members.items()},
        {key: 1 + sizes[cited] for key, cited in shared.items()},
    )


def _resolve(cited: str, project: str) -> str:
    """Return the full ref of a link from within a project."""
    return cited if "/" in cited or not project else f"{project}/{cited}"


_PERSONAL = "\0"
"""The mark of groups of personal atoms."""


def _mark_personal(key: str, path: str) -> str:
    return f"{_PERSONAL}{key}" if is_personal_path(path) else key


def _count(db: Connection, sql: str, names: Collection[str]) -> Mapping[str, int]:
    if not names:
        return {}
    return dict(db.execute(sql, (MAX_GROUP_SIZE, json.dumps(list(dict.fromkeys(names))))))
