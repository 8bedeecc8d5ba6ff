"""Queries on the links between atoms, by the indexes of the catalog; only a map scans all atoms."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from cortexfs.catalog.search_filters import filter_to_sql
from cortexfs.core.access.access_log import DIRECTORY_SEARCH
from cortexfs.core.atoms.atom import Ref
from cortexfs.core.atoms.tree_paths import project_from_path
from cortexfs.core.find.extract_links import WIKI_LINK, normalize_wiki_name
from cortexfs.core.find.parse_query import Query
from cortexfs.core.graph.resolve_links import (
    LinkedAtom,
    NameLookup,
    RawLink,
    list_candidate_names,
    resolve_link,
    resolve_links,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from sqlite3 import Connection

    from cortexfs.catalog.full_text_index import FullTextIndex
    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.core.graph.resolve_links import AtomLink

OUTGOING_SQL = """
SELECT texts.ref, l.kind, l.cited, l.line
FROM json_each(?) w CROSS JOIN atoms a ON a.ref = w.value
  CROSS JOIN links l ON l.path = a.path CROSS JOIN texts ON texts.path = l.path
"""
"""Links from some atoms, by their refs."""
INNER_SQL = """
SELECT w.key, l.kind, l.cited FROM json_each(?) w CROSS JOIN links l ON l.path = w.value
"""
"""Links from some atoms, by their paths; each is named by its place among these."""
INCOMING_SQL = """
SELECT texts.ref, l.kind, l.cited, l.line
FROM json_each(?) w CROSS JOIN links l ON l.cited = w.value
  CROSS JOIN texts ON texts.path = l.path
"""
"""Links to some atoms by full ref, or by name."""
INCOMING_SHORT_SQL = """
SELECT texts.ref, l.kind, l.cited, l.line
FROM json_each(?) w CROSS JOIN links l
    ON l.cited = json_extract(w.value, '$[1]') AND l.project = json_extract(w.value, '$[0]')
  CROSS JOIN texts ON texts.path = l.path
"""
"""Links to some atoms by short ref, from within their project."""
EXISTING_REFS_SQL = (
    "SELECT DISTINCT a.ref FROM json_each(?) w CROSS JOIN atoms a ON a.ref = w.value"
)
NAMES_OF_ATOMS_SQL = """
SELECT a.ref, n.name FROM json_each(?) w CROSS JOIN atoms a ON a.ref = w.value
  CROSS JOIN names n ON n.path = a.path
"""
"""The names of some atoms."""
ATOMS_BY_NAME_SQL = """
SELECT n.name, texts.ref, texts.path FROM json_each(?) w CROSS JOIN names n ON n.name = w.value
  CROSS JOIN texts ON texts.path = n.path
"""
"""The atoms with some names."""
NODES_SQL = """
SELECT a.ref, min(a.path), ifnull(t.kind, a.kind), ifnull(t.status, ''), ifnull(t.summary, '')
FROM json_each(?) w CROSS JOIN atoms a ON a.ref = w.value LEFT JOIN texts t ON t.path = a.path
GROUP BY a.ref
"""
SESSIONS_SQL = """
SELECT session FROM looks WHERE project = ? AND file = ? GROUP BY session
ORDER BY max(ts) DESC, session LIMIT ?
"""
SESSION_READS_SQL = """
SELECT DISTINCT l.session, l.project, l.file
FROM json_each(?) w CROSS JOIN looks l ON l.session = w.value
"""

MATCHING_SQL = """
SELECT a.ref FROM json_each(?) w CROSS JOIN atoms a ON a.ref = w.value
  JOIN texts ON texts.path = a.path WHERE 1
"""
MOST_LINKED_SQL = """
SELECT texts.ref, texts.path, texts.kind, texts.status, texts.summary
FROM texts LEFT JOIN (SELECT path, count(*) AS link_count FROM links GROUP BY path) USING (path)
"""
"""All atoms, with the number of links that each has written."""
REFS_SQL = "SELECT doc, ref FROM json_each(?) w CROSS JOIN texts ON doc = w.value"

MAX_SIMILAR_ATOMS = 50
"""Maximum number of atoms that are compared for similar text."""
MAX_SESSIONS = 64
"""Maximum number of sessions with a read of an atom that are searched for other reads."""


class LinkQueries(NamedTuple):
    """The link queries on a catalog; refresh it and update the text index first."""

    db: Connection
    full_text: FullTextIndex

    def find_links(self, refs: Collection[Ref]) -> list[AtomLink]:
        """Return every link from or to one of some atoms."""
        short_refs = [ref.rpartition("/")[::2] for ref in refs if "/" in ref]
        queries = (
            (OUTGOING_SQL, refs),
            (INCOMING_SQL, [*refs, *self._list_wiki_names(refs)]),
            (INCOMING_SHORT_SQL, short_refs),
        )
        links = {RawLink._make(row) for sql, values in queries for row in self._query(sql, values)}
        return resolve_links(links, self._look_up_names(links), frozenset(refs))

    def list_inner_links(self, nodes: Sequence[LinkedAtom]) -> list[tuple[int, int]]:
        """Return the links from one of some atoms to another, each once, by their places.

        Most names are refs of these atoms: only the others are looked up.
        """
        place: dict[str | None, int] = {node.ref: at for at, node in enumerate(nodes)}
        projects = [node.ref.rpartition("/")[0] for node in nodes]
        found: set[tuple[int, int]] = set()
        others: dict[RawLink, list[int]] = {}
        for source, kind, cited in self._query(INNER_SQL, [node.path for node in nodes]):
            project = projects[source]
            full = cited if "/" in cited or not project else f"{project}/{cited}"
            if kind != WIKI_LINK and full in place:
                found.add((source, place[full]))
            else:
                written = RawLink(Ref(f"{project}/" if project else ""), kind, cited, 0)
                others.setdefault(written, []).append(source)
        names = self._look_up_names(others)
        for written, sources in others.items():
            if (target := resolve_link(written, names)) in place:
                found.update((source, place[target]) for source in sources)
        return sorted(pair for pair in found if pair[0] != pair[1])

    def read_nodes(self, refs: Iterable[Ref]) -> dict[Ref, LinkedAtom]:
        """Return what is shown of some atoms, by ref."""
        return {row[0]: LinkedAtom._make(row) for row in self._query(NODES_SQL, refs)}

    def list_nodes(self, only: AtomFilter, limit: int) -> list[LinkedAtom]:
        """Return atoms that match filters: those with most links first, then the newest."""
        where, values = filter_to_sql(only)
        order = "ORDER BY ifnull(link_count, 0) DESC, texts.born DESC, texts.path LIMIT ?"
        rows = self.db.execute(f"{MOST_LINKED_SQL} WHERE 1{where} {order}", (*values, limit))
        return list(map(LinkedAtom._make, rows))

    def count_nodes(self, only: AtomFilter) -> int:
        """Return the number of atoms that match filters."""
        where, values = filter_to_sql(only)
        sql = f"SELECT count(*) FROM texts WHERE 1{where}"  # noqa: S608 - our own SQL
        return int(self.db.execute(sql, values).fetchone()[0])

    def filter_refs(self, refs: Iterable[Ref], only: AtomFilter) -> set[Ref]:
        """Return those of some atoms that match filters."""
        where, values = filter_to_sql(only)
        sql = f"{MATCHING_SQL}{where}"
        rows = self.db.execute(sql, (json.dumps(list(refs)), *values))
        return {Ref(ref) for (ref,) in rows}

    def find_shared_sessions(self, path: str) -> dict[str, set[Ref]]:
        """Return the latest sessions that read an atom, each with all atoms that it read."""
        read_file = (project_from_path(path), path.rpartition("/")[2], MAX_SESSIONS)
        sessions = [session for (session,) in self.db.execute(SESSIONS_SQL, read_file)]
        reads = [
            row for row in self._query(SESSION_READS_SQL, sessions) if row[2] != DIRECTORY_SEARCH
        ]
        atoms = self._find_atoms_by_name({normalize_wiki_name(file) for _, _, file in reads})
        found: dict[str, set[Ref]] = {session: set() for session in sessions}
        for session, project, name in reads:
            nodes = atoms.get(normalize_wiki_name(name), ())
            found[session] |= {node.ref for node in nodes if _is_file_at(node.path, project, name)}
        return found

    def count_terms(self, terms: Iterable[str]) -> dict[str, int]:
        """Return the number of atoms with each term, up to the limit for common terms."""
        return self.full_text.count_terms(terms)

    def find_by_terms(self, terms: tuple[str, ...]) -> dict[Ref, float]:
        """Return the atoms that match most of some terms, each with its score."""
        if not terms:
            return {}
        scores = dict(self.full_text.search(Query(terms), MAX_SIMILAR_ATOMS))
        return {ref: scores[doc] for doc, ref in self._query(REFS_SQL, scores)}

    def _look_up_names(self, links: Collection[RawLink]) -> NameLookup:
        """Look up the names in links: refs, and the names in wiki links."""
        refs = {
            ref for each in links if each.kind != WIKI_LINK for ref in list_candidate_names(each)
        }
        names = {
            name for each in links if each.kind == WIKI_LINK for name in list_candidate_names(each)
        }
        present = {ref for (ref,) in self._query(EXISTING_REFS_SQL, refs)}
        return NameLookup(present, self._find_atoms_by_name(names))

    def _find_atoms_by_name(self, names: Collection[str]) -> dict[str, list[LinkedAtom]]:
        found: dict[str, list[LinkedAtom]] = {}
        for name, *place in self._query(ATOMS_BY_NAME_SQL, names):
            found.setdefault(name, []).append(LinkedAtom(*place))
        return found

    def _list_wiki_names(self, refs: Iterable[Ref]) -> set[str]:
        """Return the names of some atoms in wiki links, alone and after their project."""
        rows = self._query(NAMES_OF_ATOMS_SQL, refs)
        return {wiki_name for ref, name in rows for wiki_name in (name, _add_project(ref, name))}

    def _query(self, sql: str, values: Iterable[object]) -> Sequence[tuple[Any, ...]]:
        return self.db.execute(sql, (json.dumps(list(values)),)).fetchall()


def _is_file_at(path: str, project: str, name: str) -> bool:
    return project_from_path(path) == project and path.endswith(f"/{name}")


def _add_project(ref: str, name: str) -> str:
    return normalize_wiki_name(f"{ref.rpartition('/')[0]}/{name}")
