"""The queries of a bulletin: a few for the whole tree, whatever its size."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.atom_rows import freeze_fields
from cortexfs.core.bulletin.score_atoms import CurrentAtom, DayReads, parse_day

if TYPE_CHECKING:
    from collections.abc import Collection
    from sqlite3 import Connection

    from cortexfs.core.atoms.atom import FrontmatterValue

_CURRENT_SQL = """
SELECT r.folder, r.name, r.full_ref,
  max(r.born, r.arrived, CASE substr(m.created, 1, 10) WHEN date(substr(m.created, 1, 10))
    THEN CAST(julianday(substr(m.created, 1, 10)) - 1721424.5 AS INTEGER) ELSE 0 END),
  CASE r.project WHEN '' THEN m.project END, m.type, r.refs, r.pinned, r.anti_pattern
FROM rows r LEFT JOIN memories m ON m.path = r.folder || '/' || r.name
WHERE r.section = ? AND r.kind != 'prompt' AND ifnull(m.deleted_at, '') = ''
  AND (r.kind != 'session' OR r.status = 'ended')
"""
"""Only few texts for each row: SQLite takes longer to make them than to find the rows."""
_FOLDERS_SQL = "SELECT folder, min(project), min(kind) FROM rows GROUP BY folder"
"""The atoms of a folder are of one project and one kind."""
_READS_SQL = """
SELECT project, file, substr(ts, 1, 10),
  count(DISTINCT CASE session WHEN '' THEN note ELSE session END)
FROM looks WHERE ts >= ? GROUP BY 1, 2, 3
"""
_FIELDS_SQL = "SELECT a.path, a.fields FROM json_each(?) w CROSS JOIN atoms a ON a.path = w.value"
_CITES_SQL = """
SELECT a.ref, a.project, json_extract(a.marks, '$[1]')
FROM json_each(?) w CROSS JOIN atoms a ON a.ref = w.value ORDER BY a.path
"""


class BulletinQueries(NamedTuple):
    """The queries of a bulletin; refresh the catalog first."""

    db: Connection

    def list_current_atoms(self) -> list[CurrentAtom]:
        """Return the atoms that are current, in path order: not replaced, stale or deleted."""
        from cortexfs.core.atoms.lifecycle import IndexMdSection  # noqa: PLC0415 - few commands need it

        folders = {row[0]: row[1:] for row in self.db.execute(_FOLDERS_SQL)}
        share = {None: ""}.setdefault  # one object for equal values, which many atoms have
        rows = self.db.execute(_CURRENT_SQL, (IndexMdSection.ACTIVE.value,))
        atoms = []
        for folder, name, ref, day, named, sort, *counts in rows:
            project, kind = folders[folder]
            about = share(named, named) or project
            place = f"{folder}/{name}", ref, name, project, kind, day
            atoms.append(CurrentAtom._make((*place, about, share(sort, sort), *counts)))
        atoms.sort()
        return atoms

    def find_last_read_day(self) -> int:
        """Return the day of the last access event as an ordinal; 0 if there is none."""
        return parse_day(self.db.execute("SELECT ifnull(max(ts), '') FROM looks").fetchone()[0])

    def list_day_reads(self, since: str) -> list[DayReads]:
        """Return for each file and day since `since` how many sessions read it."""
        rows = self.db.execute(_READS_SQL, (since,))
        return [
            DayReads(project, file, parse_day(day), count) for project, file, day, count in rows
        ]

    def read_fields(self, paths: Collection[str]) -> dict[str, dict[str, FrontmatterValue]]:
        """Return the frontmatter of some atoms by their paths."""
        rows = self.db.execute(_FIELDS_SQL, (json.dumps(list(paths)),))
        return {path: freeze_fields(json.loads(fields)) for path, fields in rows}

    def list_citations(self, refs: Collection[str]) -> list[tuple[str, str, list[str]]]:
        """Return some refs with their projects and the refs that their atoms cite, as written."""
        rows = self.db.execute(_CITES_SQL, (json.dumps(list(refs)),))
        return [(ref, project, [cited for cited, _ in json.loads(c)]) for ref, project, c in rows]
