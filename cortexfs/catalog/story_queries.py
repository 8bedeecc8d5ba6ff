"""Queries on the files of stories: their fields, digests and reads."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection
    from sqlite3 import Connection

_COLUMNS = "a.path, a.ref, files.digest, a.fields, ifnull(rows.reads, 0)"
_JOINS = """
JOIN files ON files.path = a.path
LEFT JOIN rows ON rows.folder = a.folder AND rows.name = substr(a.path, length(a.folder) + 2)
"""
_FOLDER_SQL = f"""
SELECT {_COLUMNS} FROM atoms a {_JOINS}
WHERE a.folder = ? AND a.readable ORDER BY a.path
"""  # noqa: S608 - our own SQL
_PATHS_SQL = f"""
SELECT {_COLUMNS} FROM json_each(?) AS asked
CROSS JOIN atoms a ON a.path = asked.value AND a.readable {_JOINS}
"""  # noqa: S608 - as above
_READS_SQL = "SELECT folder || '/' || name, reads FROM rows WHERE folder = ? AND reads > 0"
_OUTDATED_SQL = """
SELECT path, project, json_extract(fields, '$.story') FROM atoms
WHERE kind = ? AND readable AND ifnull(json_extract(fields, '$.analysis'), '') != ?
AND typeof(json_extract(fields, '$.story')) = 'text' ORDER BY path
"""

_ASKED_SQL = """
SELECT project, json_extract(fields, '$.story'), json_extract(fields, '$.messages'),
ifnull(json_extract(fields, '$.asked'), '') != '' FROM atoms
WHERE kind = ? AND readable AND typeof(json_extract(fields, '$.story')) = 'text'
"""


class StoryRow(NamedTuple):
    """A file of a story: path, ref, digest of its text, frontmatter as JSON, number of reads."""

    path: str
    ref: str
    digest: bytes
    fields: str
    reads: int


class StoryQueries(NamedTuple):
    """The queries on a catalog; refresh it first."""

    db: Connection

    def list_rows(self, folder: str) -> list[StoryRow]:
        """Return the readable atoms of a folder, in path order."""
        return list(map(StoryRow._make, self.db.execute(_FOLDER_SQL, (folder,))))

    def list_made_otherwise(self, kind: str, analysis: str) -> list[tuple[str, str, str]]:
        """Return path, project and story of each atom of a kind that other settings made."""
        return list(self.db.execute(_OUTDATED_SQL, (kind, analysis)))

    def list_asked(self, kind: str) -> list[tuple[str, str, str, bool]]:
        """Return project, story and messages of each atom of a kind, and whether a model was asked.

        That is so if an answer about its present messages is kept.
        """
        return list(self.db.execute(_ASKED_SQL, (kind,)))

    def list_rows_of(self, paths: Collection[str]) -> list[StoryRow]:
        """Return the readable atoms among some files."""
        return list(map(StoryRow._make, self.db.execute(_PATHS_SQL, (json.dumps([*paths]),))))

    def list_reads(self, folder: str) -> dict[str, int]:
        """Return the number of reads of each atom of a folder that was read, by path."""
        return dict(self.db.execute(_READS_SQL, (folder,)))
