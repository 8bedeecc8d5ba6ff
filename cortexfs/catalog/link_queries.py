"""What the catalog knows of which atom names which: asked of its indexes, never of all atoms."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from cortexfs.catalog.search_filters import conditions
from cortexfs.core.access.access_log import DIRECTORY_SEARCH
from cortexfs.core.atoms.atom import Ref
from cortexfs.core.atoms.tree_paths import project_of
from cortexfs.core.find.extract_links import WIKI, as_name
from cortexfs.core.find.parse_query import Query
from cortexfs.core.graph.resolve_links import Names, Node, Written, ties, wanted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from sqlite3 import Connection

    from cortexfs.catalog.full_text import FullText
    from cortexfs.core.find.filters import Only
    from cortexfs.core.graph.resolve_links import Tie

FROM = """
SELECT texts.ref, l.kind, l.cited, l.line
FROM json_each(?) w CROSS JOIN atoms a ON a.ref = w.value
  CROSS JOIN links l ON l.path = a.path CROSS JOIN texts ON texts.path = l.path
"""
"""What stands in some atoms, by their refs."""
TO = """
SELECT texts.ref, l.kind, l.cited, l.line
FROM json_each(?) w CROSS JOIN links l ON l.cited = w.value
  CROSS JOIN texts ON texts.path = l.path
"""
"""What names some atoms in full, or by a name."""
WITHIN = """
SELECT texts.ref, l.kind, l.cited, l.line
FROM json_each(?) w CROSS JOIN links l
    ON l.cited = json_extract(w.value, '$[1]') AND l.project = json_extract(w.value, '$[0]')
  CROSS JOIN texts ON texts.path = l.path
"""
"""What names some atoms in short, from within their project."""
PRESENT = "SELECT DISTINCT a.ref FROM json_each(?) w CROSS JOIN atoms a ON a.ref = w.value"
BORNE = """
SELECT a.ref, n.name FROM json_each(?) w CROSS JOIN atoms a ON a.ref = w.value
  CROSS JOIN names n ON n.path = a.path
"""
"""The names of some atoms."""
BEARING = """
SELECT n.name, texts.ref, texts.path FROM json_each(?) w CROSS JOIN names n ON n.name = w.value
  CROSS JOIN texts ON texts.path = n.path
"""
"""The atoms that bear some names."""
SHOWN = """
SELECT a.ref, min(a.path), ifnull(t.kind, a.kind), ifnull(t.status, ''), ifnull(t.summary, '')
FROM json_each(?) w CROSS JOIN atoms a ON a.ref = w.value LEFT JOIN texts t ON t.path = a.path
GROUP BY a.ref
"""
SESSIONS = """
SELECT session FROM looks WHERE project = ? AND file = ? GROUP BY session
ORDER BY max(ts) DESC, session LIMIT ?
"""
SEEN = """
SELECT DISTINCT l.session, l.project, l.file
FROM json_each(?) w CROSS JOIN looks l ON l.session = w.value
"""

MATCHING = """
SELECT a.ref FROM json_each(?) w CROSS JOIN atoms a ON a.ref = w.value
  JOIN texts ON texts.path = a.path WHERE 1
"""
REFS = "SELECT doc, ref FROM json_each(?) w CROSS JOIN texts ON doc = w.value"

ALIKE = 50
"""Atoms that are looked at for saying the same."""
LATEST = 64
"""Sessions of an atom that are asked for what else they looked at."""


class Ties(NamedTuple):
    """The questions about links that a catalog answers; refresh it and take in texts first."""

    db: Connection
    words: FullText

    def of(self, refs: Collection[Ref]) -> list[Tie]:
        """Give every tie that begins or ends at one of some atoms."""
        short = [ref.rpartition("/")[::2] for ref in refs if "/" in ref]
        asked = ((FROM, refs), (TO, [*refs, *self._called(refs)]), (WITHIN, short))
        written = {Written._make(row) for sql, given in asked for row in self._rows(sql, given)}
        return ties(written, self._names(written), frozenset(refs))

    def atoms(self, refs: Iterable[Ref]) -> dict[Ref, Node]:
        """Give what is shown of some atoms, by their refs."""
        return {row[0]: Node._make(row) for row in self._rows(SHOWN, refs)}

    def matching(self, refs: Iterable[Ref], only: Only) -> set[Ref]:
        """Return those of some atoms that match filters."""
        where, given = conditions(only)
        sql = f"{MATCHING}{where}"
        rows = self.db.execute(sql, (json.dumps(list(refs)), *given))
        return {Ref(ref) for (ref,) in rows}

    def seen_with(self, path: str) -> dict[str, set[Ref]]:
        """Give the latest sessions that looked at an atom, and all atoms that each looked at."""
        looked_at = (project_of(path), path.rpartition("/")[2], LATEST)
        sessions = [session for (session,) in self.db.execute(SESSIONS, looked_at)]
        seen = [row for row in self._rows(SEEN, sessions) if row[2] != DIRECTORY_SEARCH]
        bearers = self._bearers({as_name(file) for _, _, file in seen})
        found: dict[str, set[Ref]] = {session: set() for session in sessions}
        for session, project, name in seen:
            known = bearers.get(as_name(name), ())
            found[session] |= {node.ref for node in known if _is(node.path, project, name)}
        return found

    def counts(self, terms: Iterable[str]) -> dict[str, int]:
        """Count the atoms that say each of some terms, up to what is common."""
        return self.words.counts(terms)

    def saying(self, terms: tuple[str, ...]) -> dict[Ref, float]:
        """Give the atoms that say most of some terms, each with how well it fits."""
        if not terms:
            return {}
        scores = dict(self.words.search(Query(terms), ALIKE))
        return {ref: scores[doc] for doc, ref in self._rows(REFS, scores)}

    def _names(self, written: Collection[Written]) -> Names:
        """Look up all that is named; refs and names apart."""
        refs = {ref for each in written if each.kind != WIKI for ref in wanted(each)}
        names = {name for each in written if each.kind == WIKI for name in wanted(each)}
        present = {ref for (ref,) in self._rows(PRESENT, refs)}
        return Names(present, self._bearers(names))

    def _bearers(self, names: Collection[str]) -> dict[str, list[Node]]:
        found: dict[str, list[Node]] = {}
        for name, *place in self._rows(BEARING, names):
            found.setdefault(name, []).append(Node(*place))
        return found

    def _called(self, refs: Iterable[Ref]) -> set[str]:
        """Give what wiki links may call some atoms, alone and behind their project."""
        rows = self._rows(BORNE, refs)
        return {said for ref, name in rows for said in (name, _behind(ref, name))}

    def _rows(self, sql: str, given: Iterable[object]) -> Sequence[tuple[Any, ...]]:
        return self.db.execute(sql, (json.dumps(list(given)),)).fetchall()


def _is(path: str, project: str, name: str) -> bool:
    return project_of(path) == project and path.endswith(f"/{name}")


def _behind(ref: str, name: str) -> str:
    return as_name(f"{ref.rpartition('/')[0]}/{name}")
