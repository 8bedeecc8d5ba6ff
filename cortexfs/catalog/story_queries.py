"""Queries on the files of stories: their fields, digests and reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sqlite3 import Connection

_SQL = """
SELECT a.path, a.ref, files.digest, a.fields, ifnull(rows.reads, 0) FROM atoms a
JOIN files USING (path)
LEFT JOIN rows ON rows.folder = a.folder AND rows.name = substr(a.path, length(a.folder) + 2)
WHERE a.folder = ? AND a.readable ORDER BY a.path
"""


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
        return list(map(StoryRow._make, self.db.execute(_SQL, (folder,))))

    def list_made_otherwise(self, kind: str, analysis: str) -> list[tuple[str, str, str]]:
        """Return path, project and story of each atom of a kind that other settings made."""
        return list(self.db.execute(_OUTDATED_SQL, (kind, analysis)))

    def list_asked(self, kind: str) -> list[tuple[str, str, str, bool]]:
        """Return project, story and messages of each atom of a kind, and whether a model was asked.

        That is so if an answer about its present messages is kept.
        """
        return list(self.db.execute(_ASKED_SQL, (kind,)))
