"""The full-text index of the pages of a tree: Markdown files that are not atoms.

It is a separate table from the index of the atoms, so that pages do not affect which atoms are
found, and in which order.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.fts5_match_query import format_match_query
from cortexfs.catalog.fts5_vocabulary import page_vocabulary
from cortexfs.catalog.schema import PAGE_TEXT_STATEMENT, insert_rows
from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import project_from_path
from cortexfs.core.changes.compare_stamps import DeletedFile, find_changed_files
from cortexfs.core.find.detect_language import detect_language
from cortexfs.core.find.indexed_fields import FIELD_WEIGHTS, extract_page_fields
from cortexfs.tree.non_atoms import stamp_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from sqlite3 import Connection

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.atoms.atom import FileText
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.changes.compare_stamps import FileStamp
    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.core.find.parse_query import Query
    from cortexfs.tree.tree import Tree

_INSERT_SQL = (
    "INSERT INTO page_words (rowid, title, tags, headings, body, names) VALUES (?, ?, ?, ?, ?, ?)"
)
_EXISTS_SQL = "SELECT 1 FROM sqlite_master WHERE name = 'page_words'"
_STAMPS_SQL = "SELECT path, size, mtime_ns, ctime_ns FROM pages"


class PageMatch(NamedTuple):
    """A page that was found, and its score."""

    path: str
    project: str
    score: float


def refresh_page_index(catalog: Catalog, tree: Tree, kinds: Kinds) -> None:
    """Update the index from the pages of the tree; unchanged files are not opened."""
    started, on_disk = time.time_ns(), stamp_pages(tree.root, kinds)
    if catalog.db.execute(_EXISTS_SQL).fetchone() and _read_known_stamps(catalog.db) == on_disk:
        return
    with catalog.write_transaction() as db, tree.open_batch_reader() as read:
        if not db.execute(_EXISTS_SQL).fetchone():
            db.execute(PAGE_TEXT_STATEMENT)
            weights = f"bm25({', '.join(map(str, FIELD_WEIGHTS))})"
            db.execute("INSERT INTO page_words (page_words, rank) VALUES ('rank', ?)", (weights,))
            db.execute("DELETE FROM pages")
        for change in find_changed_files(on_disk, _read_known_stamps(db)):
            _delete_page(db, change.path)
            if not isinstance(change, DeletedFile):
                _insert_page(
                    db, change.path, on_disk[change.path].without_unsettled_times(started), read
                )


def search_pages(catalog: Catalog, query: Query, limit: int) -> list[PageMatch]:
    """Return the best matching pages, best first; refresh the index before."""
    conditions = _format_page_conditions(query.filters)
    if not query.all_terms or conditions is None:
        return []
    where, values = conditions
    sql = (
        "SELECT path, project, -rank AS score FROM page_words CROSS JOIN pages"  # noqa: S608 - our own SQL
        f" ON doc = page_words.rowid WHERE page_words MATCH ?{where}"
        " ORDER BY score DESC, path LIMIT ?"
    )
    rows = catalog.db.execute(sql, (format_match_query(query), *values, limit))
    return [PageMatch(*row) for row in rows]


def _format_page_conditions(only: AtomFilter) -> tuple[str, list[str]] | None:
    """Return the filters as SQL; None if they need a field that pages do not have."""
    if only.kinds or only.statuses or only.tags or only.entities or only.since or only.until:
        return None
    sql, values = "", list[str]()
    if only.projects:
        sql = f" AND project IN ({', '.join('?' * len(only.projects))})"
        values += only.projects
    for one in only.excluded:
        if excluded := _format_page_conditions(one):
            sql += f" AND NOT (1{excluded[0]})"
            values += excluded[1]
    return sql, values


def _read_known_stamps(db: Connection) -> Mapping[str, tuple[int, int, int]]:
    return {path: (size, mtime, ctime) for path, size, mtime, ctime in db.execute(_STAMPS_SQL)}


def _delete_page(db: Connection, path: str) -> None:
    for (doc,) in db.execute("SELECT doc FROM pages WHERE path = ?", (path,)).fetchall():
        db.execute("DELETE FROM page_words WHERE rowid = ?", (doc,))
        db.execute("DELETE FROM pages WHERE doc = ?", (doc,))


def _insert_page(
    db: Connection, path: str, stamp: FileStamp, read: Callable[[str], FileText | Flaw]
) -> None:
    """Index a page; one that cannot be read gets a row without text."""
    (doc,) = db.execute("SELECT ifnull(max(doc), 0) + 1 FROM pages").fetchone()
    source = read(path)
    language = "" if isinstance(source, Flaw) else detect_language(source.text)
    insert_rows(db, "pages", [(doc, path, project_from_path(path), *stamp, language)])
    if not isinstance(source, Flaw):
        fields = extract_page_fields(path, source.text, language)
        db.execute(_INSERT_SQL, (doc, *fields))
        page_vocabulary(db).add_terms({*" ".join(fields).split()})
