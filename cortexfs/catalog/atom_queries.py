"""Queries on atoms, refs and access logs in the catalog."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.atom_rows import freeze_value, make_entry, parse_atom_row
from cortexfs.catalog.schema import read_data_version
from cortexfs.core.access.access_log import ReadStats
from cortexfs.core.atoms.atom import Atom, Finding, Ref, split_string_list
from cortexfs.core.atoms.lifecycle import parse_atom_status
from cortexfs.core.atoms.tree_paths import project_from_path
from cortexfs.core.indexes.atom_with_reads import NO_READS, AtomWithReads, merge_read_stats
from cortexfs.core.indexes.index_row import IndexRow, IndexRowWithReads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from sqlite3 import Connection

    from cortexfs.core.atoms.atom import Atom, FrontmatterValue
    from cortexfs.core.atoms.near_duplicates import AtomSummary

_REF_SQL = "SELECT ref, path FROM atoms WHERE ref = ? ORDER BY path LIMIT 1"
_SIZES_SQL = """SELECT count(*), ifnull(sum(size), 0), (SELECT page_count * page_size
FROM pragma_page_count, pragma_page_size) FROM files"""
_ENTRIES_SQL = """SELECT path, a.kind, ref, a.project, fields, reads, last_read
FROM rows CROSS JOIN atoms a ON path = rows.folder || '/' || name WHERE rows.folder = ?"""
_HAS_READ_FIELDS_SQL = """AND (fields LIKE '%"refs":%' OR fields LIKE '%"last-ref":%')"""
"""A fast, approximate filter: a summary with such text only costs one needless lookup."""


class AtomQueries(NamedTuple):
    """The queries on a catalog; refresh it first."""

    db: Connection

    def list_folders(self, kind: str = "") -> set[str]:
        """Return the folders with at least one atom, or one of a kind."""
        sql = "SELECT DISTINCT folder FROM atoms"
        rows = self.db.execute(f"{sql} WHERE kind = ?", (kind,)) if kind else self.db.execute(sql)
        return {folder for (folder,) in rows}

    def has_kind(self, kind: str) -> bool:
        """Return whether there is an atom of a kind."""
        found = self.db.execute("SELECT 1 FROM atoms WHERE kind = ? LIMIT 1", (kind,)).fetchone()
        return found is not None

    def list_entries(self, folder: str, *, with_read_fields: bool = False) -> list[AtomWithReads]:
        """Return the atoms of one folder that an index lists, each with its reads.

        With `with_read_fields`, only those with `refs` or `last-ref` in their frontmatter.
        """
        condition = _HAS_READ_FIELDS_SQL if with_read_fields else ""
        rows = self.db.execute(f"{_ENTRIES_SQL} {condition} ORDER BY name", (folder,))
        return [make_entry(row, count, last) for *row, count, last in rows]

    def list_index_rows(self, folder: str) -> list[IndexRowWithReads]:
        """Return the rows of one folder's index, each with its reads."""
        fields = ", ".join(IndexRow._fields)
        rows = self.db.execute(
            f"SELECT {fields}, reads, last_read FROM rows WHERE folder = ?", (folder,)
        )
        return [IndexRowWithReads(IndexRow(*row), count, last) for *row, count, last in rows]

    def iter_all_entries(self, kind: str = "") -> Iterator[AtomWithReads]:
        """Yield every atom with an id, or of a kind, with its reads, by folder and path."""
        for folder in sorted(self.list_folders(kind)):
            yield from self.list_entries(folder)

    def find_latest_days(self, today: date) -> dict[str, str]:
        """Return the day of each project's latest atom, without future dates."""
        rows = self.db.execute(
            "SELECT folder, max(born) FROM rows WHERE born BETWEEN 1 AND ? GROUP BY folder",
            (today.toordinal(),),
        )
        days: dict[str, str] = {}
        for folder, born in rows:
            project = project_from_path(f"{folder}/x")
            days[project] = max(days.get(project, ""), date.fromordinal(born).isoformat())
        return days

    def count_reads(self, project: str) -> dict[str, ReadStats]:
        """Return the read count of each file of a project, and its last read."""
        rows = self.db.execute(  # `ts` is taken from the row that has the maximum
            "SELECT file, count(DISTINCT note), ts, max(rtrim(ts, 'Z')) FROM looks"
            " WHERE project = ? GROUP BY file",
            (project,),
        )
        return {row[0]: ReadStats._make(row[1:3]) for row in rows}

    def count_reads_of_file(self, path: str) -> ReadStats:
        """Return the read count of one file in the log, and its last read."""
        row = self.db.execute(
            "SELECT count(DISTINCT note), ts, max(rtrim(ts, 'Z')) FROM looks"
            " WHERE project = ? AND file = ?",
            (project_from_path(path), path.rpartition("/")[2]),
        ).fetchone()
        return ReadStats(row[0], row[1] or "")

    def list_unreadable(self, folder: str) -> list[Finding]:
        """Return the finding of each file of a folder that could not be read."""
        rows = self.db.execute(
            "SELECT path, marks FROM atoms WHERE folder = ? AND NOT readable ORDER BY path",
            (folder,),
        )
        return [Finding(path, *json.loads(marks)[3][0]) for path, marks in rows]

    def count_reads_of_unreadable(self, folder: str) -> dict[str, ReadStats]:
        """Return the reads of files that could not be read, by file name."""
        names = [finding.path.rpartition("/")[2] for finding in self.list_unreadable(folder)]
        known = self._make_read_lookup(folder) if names else None
        return {name: known(name, name.removesuffix(".md")) for name in names if known}

    def list_atoms(self) -> list[Atom]:
        """Return every atom with all its fields, in path order."""
        rows = self.db.execute(
            "SELECT path, kind, ref, project, fields, marks FROM atoms ORDER BY path"
        )
        return [parse_atom_row(row) for row in rows]

    def iter_citations(self) -> Iterator[tuple[Ref, str, list[str]]]:
        """Yield every ref with its project and the refs that its atom cites, as written."""
        rows = self.db.execute("SELECT ref, project, marks FROM atoms ORDER BY path")
        read = json.JSONDecoder().decode
        for ref, project, marks in rows:
            yield ref, project, [named for named, _ in read(marks)[1]]

    def list_refs(self) -> list[tuple[Ref, str]]:
        """Return every ref with the path of its file, in path order."""
        return list(self.db.execute("SELECT ref, path FROM atoms ORDER BY path"))

    def list_refs_of_project(self, project: str) -> list[tuple[Ref, str]]:
        """Return the refs in a project and outside of all, with the path of each, in path order."""
        sql = "SELECT ref, path FROM atoms WHERE project IN (?, '') ORDER BY path"
        return list(self.db.execute(sql, (project,)))

    def list_digests(self) -> list[tuple[str, Ref, bytes]]:
        """Return path, ref (empty: no atom) and digest of each file, in path order."""
        sql = (
            "SELECT path, coalesce(ref, ''), digest FROM files LEFT JOIN atoms USING (path)"
            " ORDER BY path"
        )
        return list(self.db.execute(sql))

    def list_digests_in(self, folder: str) -> list[tuple[str, bytes]]:
        """Return path and digest of each file that was read below a folder, in path order."""
        sql = "SELECT path, digest FROM files WHERE path > ? AND path < ? AND digest NOT NULL"
        return list(self.db.execute(f"{sql} ORDER BY path", (f"{folder}/", f"{folder}0")))

    def read_version(self) -> tuple[int, int]:
        """Return what differs, in one thread, after any change of the catalog."""
        return read_data_version(self.db), self.db.total_changes

    def iter_titles(self) -> Iterator[tuple[Ref, str, list[str]]]:
        """Yield ref, path, and the summary, title and aliases of each readable atom."""
        sql = (
            "SELECT ref, path, json_extract(fields, '$.summary', '$.title', '$.aliases')"
            " FROM atoms WHERE readable ORDER BY path"
        )
        for ref, path, names in self.db.execute(sql):
            values = (freeze_value(each) for each in json.loads(names) if each)
            yield ref, path, [name for value in values for name in _list_names(value)]

    def find_ref(self, ref: str) -> tuple[Ref, str] | None:
        """Return a ref with the path of its file, using the index; the first of duplicates."""
        try:
            rows = self.db.execute(_REF_SQL, (ref,))
        except UnicodeEncodeError:  # bytes that are not text: no atom has such a ref
            return None
        found: tuple[Ref, str] | None = rows.fetchone()
        return found

    def _make_read_lookup(self, folder: str) -> Callable[[str, str], ReadStats]:
        """Return a function from file name and id to the reads in the log and in the index."""
        logged = self.count_reads(project_from_path(f"{folder}/x"))
        rows = self.db.execute("SELECT id, refs, last FROM shown WHERE folder = ?", (folder,))
        floors = {name: ReadStats(refs, last) for name, refs, last in rows}
        if not logged and not floors:
            return lambda _name, _ident: NO_READS
        return lambda name, ident: merge_read_stats(
            logged.get(name, NO_READS), floors.get(name, NO_READS), floors.get(ident, NO_READS)
        )

    def iter_summaries(self, kind: str) -> Iterator[AtomSummary]:
        """Yield the ref, summary and tags of each readable atom of a kind, in path order."""
        from cortexfs.core.atoms.near_duplicates import AtomSummary  # noqa: PLC0415 - only `new` needs it

        rows = self.db.execute(
            "SELECT ref, fields FROM atoms WHERE kind = ? AND readable ORDER BY path", (kind,)
        )
        read = json.JSONDecoder().decode
        decoded = ((ref, read(fields)) for ref, fields in rows)
        return (
            AtomSummary(
                ref,
                str(fields.get("summary", "")),
                split_string_list(freeze_value(fields.get("tags", ""))),
            )
            for ref, fields in decoded
        )

    def iter_tagged(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Yield path, project and tags of each readable atom that has tags, in path order."""
        rows = self.db.execute(
            "SELECT path, project, fields FROM atoms WHERE readable AND fields LIKE '%\"tags\":%'"
            " ORDER BY path"
        )
        read = json.JSONDecoder().decode
        for path, project, fields in rows:
            if tags := split_string_list(freeze_value(read(fields).get("tags", ""))):
                yield path, project, tags

    def list_statuses(self) -> set[str]:
        """Return every status of an atom, including unknown ones."""
        rows = self.db.execute(
            "SELECT DISTINCT json_extract(fields, '$.status') FROM atoms WHERE readable"
        )
        return {parse_atom_status(str(text)).word for (text,) in rows if text}

    def list_field_values(self, kind: str, key: str, limit: int) -> list[str]:
        """Return the most frequent words in a field of the atoms of a kind."""
        sql = (
            "SELECT json_extract(fields, ?) FROM atoms WHERE readable AND kind = ? AND"
            " json_type(fields, ?) = 'text' GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ?"
        )
        name = '$."' + key.replace('"', "") + '"'  # no key of frontmatter has a quote
        return [row[0] for row in self.db.execute(sql, (name, kind, name, limit))]

    def count_reads_since(self, day: str) -> dict[tuple[str, str], int]:
        """Return the number of access events since a day (ISO 8601) by project and file name."""
        sql = "SELECT project, file, count(DISTINCT note) FROM looks WHERE ts >= ? GROUP BY 1, 2"
        rows = self.db.execute(sql, (day,))
        return {(project, file): count for project, file, count in rows}

    def measure_sizes(self) -> tuple[int, int, int]:
        """Return the number of files that the catalog reads, their bytes, and its own bytes."""
        row: tuple[int, int, int] = self.db.execute(_SIZES_SQL).fetchone()
        return row

    def list_bad_log_lines(self) -> list[Finding]:
        """Return a finding for each line of a log that could not be read."""
        rows = self.db.execute("SELECT log, code, message, line FROM torn ORDER BY log, line")
        return [Finding(*row) for row in rows]


def _list_names(value: FrontmatterValue) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else split_string_list(value)
