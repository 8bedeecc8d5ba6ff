"""The catalog's tables; every row is computed from the tree, so there are no migrations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    Cells = tuple[str | int | float | bytes, ...]


class RowTarget(Protocol):
    """What rows are inserted into: a database, or a list for one."""

    def executemany(self, sql: str, rows: Iterable[Cells], /) -> object:
        """Run a statement for each row."""


SCHEMA_VERSION = 26
"""Part of the file name: a catalog of another format is not found, and is rebuilt."""

_TABLES = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;

-- the stamp of each file when it was read
CREATE TABLE files (
    path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, digest BLOB
) WITHOUT ROWID;

-- the digest of the files of each folder with files (empty: unknown), and their number
CREATE TABLE folders (folder TEXT PRIMARY KEY, digest BLOB, files INTEGER) WITHOUT ROWID;

-- one row for each atom; `fields` is JSON, and so is `marks`: [lines, cites, evidence, flaws], of
-- which `evidence` has only what is not in `cites`; `codes` are those of the flaws, separated by
-- blanks; `current` is 1 if the atom has an id and is not replaced, refuted or unreadable
CREATE TABLE atoms (
    path TEXT PRIMARY KEY, folder TEXT, project TEXT, kind TEXT, ref TEXT, readable INTEGER,
    fields TEXT, marks TEXT, codes TEXT, current INTEGER
) WITHOUT ROWID;
CREATE INDEX atoms_by_folder ON atoms (folder);
CREATE INDEX atoms_by_ref ON atoms (ref);
CREATE INDEX atoms_unreadable ON atoms (path) WHERE NOT readable;
CREATE INDEX atoms_flawed ON atoms (path, codes) WHERE codes != '';
CREATE INDEX atoms_by_codes ON atoms (codes, project) WHERE codes != '';
CREATE INDEX atoms_by_kind ON atoms (kind, ref);
CREATE INDEX atoms_not_current ON atoms (ref) WHERE NOT current;

-- the atoms that cite each ref, in full; a ref without a project may mean one outside of it
CREATE TABLE cites (ref TEXT, path TEXT, PRIMARY KEY (ref, path)) WITHOUT ROWID;

-- each atom with an id: what an index shows of it (`core.indexes.index_row.IndexRow`), what lists
-- need (`core.indexes.listed_fields`; `tags` is JSON), and its reads from all sources
CREATE TABLE rows (
    folder TEXT, name TEXT, id TEXT, shown_id TEXT, number INTEGER, born INTEGER,
    arrived INTEGER, section TEXT, mark TEXT, refs INTEGER, last TEXT, head TEXT, tail TEXT,
    kind TEXT, project TEXT, status TEXT, second INTEGER, title TEXT, tags TEXT,
    reads INTEGER, last_read TEXT, PRIMARY KEY (folder, name)
) WITHOUT ROWID;
CREATE INDEX rows_by_project ON rows (
    project, kind, status, section, reads, born, second, number, shown_id, arrived
);
CREATE INDEX rows_by_reads ON rows (
    reads DESC, born DESC, number, shown_id, folder || '/' || name
);
CREATE INDEX rows_by_date ON rows (
    born DESC, second DESC, reads DESC, number, shown_id, folder || '/' || name
);
CREATE INDEX rows_by_tags ON rows (project, tags);
CREATE INDEX rows_by_name ON rows (name, project);

-- the reads that an index.md shows: the read count of an atom is never lower
CREATE TABLE shown (
    folder TEXT, id TEXT, refs INTEGER, last TEXT, PRIMARY KEY (folder, id)
) WITHOUT ROWID;

-- one row for each line of an access log; lines with the same note and file are one read
CREATE TABLE looks (
    project TEXT, file TEXT, note TEXT, ts TEXT, session TEXT, log TEXT,
    PRIMARY KEY (project, file, note, log)
) WITHOUT ROWID;
CREATE INDEX looks_by_log ON looks (log);
CREATE INDEX looks_by_session ON looks (session);

-- unreadable lines of the logs
CREATE TABLE torn (log TEXT, line INTEGER, code TEXT, message TEXT);

-- what `check` found in a text, and the digest of the text; `found` is JSON, or empty if that is
-- nothing: [flaws, cites, links]; a page is a text that is not an atom
CREATE TABLE examined (
    path TEXT PRIMARY KEY, digest BLOB, found TEXT, is_page INTEGER
) WITHOUT ROWID;
CREATE INDEX examined_with_findings ON examined (path) WHERE found != '';
CREATE INDEX examined_pages ON examined (path, digest) WHERE is_page;

-- atoms that have changed, or are gone, since they were examined; none before all of them were
CREATE TABLE unexamined (path TEXT PRIMARY KEY) WITHOUT ROWID;

-- texts that have changed since their full text and links were ingested
CREATE TABLE waiting (path TEXT PRIMARY KEY) WITHOUT ROWID;

-- the data of an atom in the full-text index; `refs` and `last` are those of its frontmatter,
-- `tags` has one tag per line, `content` identifies the text whatever its path; `language` is a
-- code, or empty if unknown; `long_words` are those of `long_words`, separated by blanks; `origin`
-- is one of `core.atoms.atom_origin`; `created` (UTC) and `archived` (0 or 1) are of memories
CREATE TABLE texts (
    doc INTEGER PRIMARY KEY, path TEXT UNIQUE, folder TEXT, name TEXT, id TEXT, ref TEXT,
    kind TEXT, project TEXT, status TEXT, born INTEGER, refs INTEGER, last TEXT, tags TEXT,
    summary TEXT, content TEXT, language TEXT, long_words TEXT, origin TEXT, created TEXT,
    archived INTEGER
);
CREATE INDEX texts_by_date ON texts (
    archived, born DESC, created DESC, length(id) DESC, id DESC, path
);
CREATE INDEX texts_by_cell ON texts (kind, project, status, origin, archived);
CREATE INDEX texts_by_content ON texts (content);
CREATE INDEX texts_by_language ON texts (language) WHERE language NOT IN ('', 'en');

-- words that may be compounds, as indexed, and the number of texts with each
CREATE TABLE long_words (word TEXT PRIMARY KEY, reversed TEXT, texts INTEGER) WITHOUT ROWID;
CREATE INDEX long_words_by_end ON long_words (reversed);

-- the links of each atom: `kind` is the field that has the link, `text` the body, `wiki` [[…]]
CREATE TABLE links (
    path TEXT, project TEXT, kind TEXT, cited TEXT, line INTEGER,
    PRIMARY KEY (path, kind, cited)
) WITHOUT ROWID;
CREATE INDEX links_by_cited ON links (cited, project);

-- the names of an atom in a [[wiki link]], case-folded
CREATE TABLE names (
    path TEXT, name TEXT, PRIMARY KEY (path, name)
) WITHOUT ROWID;
CREATE INDEX names_by_name ON names (name);

-- entities that the texts mention: `sort` is one of `core.find.entities.SORTS`
CREATE TABLE mentions (
    path TEXT, sort TEXT, name TEXT, line INTEGER, PRIMARY KEY (path, sort, name)
) WITHOUT ROWID;
CREATE INDEX mentions_by_name ON mentions (name);

-- agent memory: observations, sessions and prompts; `digest` identifies the content
CREATE TABLE memories (
    path TEXT PRIMARY KEY, kind TEXT, number INTEGER, ref TEXT, project TEXT, scope TEXT,
    type TEXT, topic_key TEXT, session TEXT, created TEXT, deleted_at TEXT, digest BLOB
) WITHOUT ROWID;
CREATE INDEX memories_by_number ON memories (kind, number);
CREATE INDEX memories_by_time ON memories (kind, created, number);
CREATE INDEX memories_by_digest ON memories (digest);
CREATE INDEX memories_by_topic ON memories (topic_key) WHERE topic_key != '';
CREATE INDEX memories_by_session ON memories (session, kind, number);
CREATE INDEX memories_deleted ON memories (path) WHERE deleted_at != '';
CREATE INDEX memories_by_project ON memories (kind, project, created, number, deleted_at);

-- typed relations between observations, by their numbers
CREATE TABLE relations (
    path TEXT, source INTEGER, type TEXT, target INTEGER, weight REAL,
    PRIMARY KEY (path, type, target)
) WITHOUT ROWID;
CREATE INDEX relations_by_source ON relations (source);
CREATE INDEX relations_by_target ON relations (target);

-- Markdown files that are not atoms, with their stamps when they were read
CREATE TABLE pages (
    doc INTEGER PRIMARY KEY, path TEXT UNIQUE, project TEXT, size INTEGER, mtime_ns INTEGER,
    ctime_ns INTEGER, language TEXT
);
CREATE INDEX pages_by_language ON pages (language) WHERE language NOT IN ('', 'en');

-- the terms of the full-text index of SQLite, and of that of the pages; some are of deleted texts
CREATE TABLE terms (term TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE page_terms (term TEXT PRIMARY KEY) WITHOUT ROWID;

-- texts that have changed since the last commit of tantivy: see `catalog.layered_index`
CREATE TABLE recent (doc INTEGER PRIMARY KEY);

-- folders whose index may be out of date; the last rendering: its day (UTC), counts and digest
CREATE TABLE stale (folder TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE rendered (
    folder TEXT PRIMARY KEY, day TEXT,
    active INTEGER, superseded INTEGER, invalidated INTEGER, unreadable INTEGER,
    digest BLOB
) WITHOUT ROWID;
"""

CONTENTS_NUMBER = "number of changes"
"""The key of a value of `about`: a number that grows with each transaction that ingests a file."""
EXAMINED_ALL = "examined all atoms"
"""The key of a value of `about`: `unexamined` has every atom that is to be examined."""
TABLE_STATEMENTS = tuple(
    statement.strip()
    for statement in re.sub(r"(?m)^--.*\n", "", _TABLES).split(";")
    if statement.strip()
)
"""The statements that create the tables, spelled as SQLite stores them."""

FULL_TEXT_STATEMENT = """
CREATE VIRTUAL TABLE words USING fts5 (
    title, tags, headings, body, names, tokenize = "ascii tokenchars '-./+#:@_'"
)
"""
"""The full-text index of atoms, created at the first search; tokens are separated by spaces."""

PAGE_TEXT_STATEMENT = FULL_TEXT_STATEMENT.replace("TABLE words", "TABLE page_words")
"""The full-text index of pages, created at the first search."""

COLUMN_COUNTS = {
    "about": 2,
    "files": 5,
    "folders": 3,
    "atoms": 10,
    "cites": 2,
    "rows": 21,
    "shown": 4,
    "looks": 6,
    "torn": 4,
    "examined": 4,
    "unexamined": 1,
    "waiting": 1,
    "texts": 20,
    "long_words": 3,
    "links": 5,
    "names": 2,
    "mentions": 4,
    "memories": 12,
    "relations": 5,
    "pages": 7,
    "terms": 1,
    "page_terms": 1,
    "recent": 1,
    "stale": 1,
    "rendered": 7,
}
"""The number of columns of every table."""


def read_data_version(db: sqlite3.Connection) -> int:
    """Return a number that changes when another connection commits."""
    return int(db.execute("PRAGMA data_version").fetchone()[0])


def insert_rows(db: RowTarget, table: str, rows: Iterable[Cells], on_conflict: str = "") -> None:
    """Insert rows into a table; rows with the same key are replaced."""
    places = ", ".join("?" * COLUMN_COUNTS[table])
    verb = "INSERT" if on_conflict else "INSERT OR REPLACE"
    db.executemany(f"{verb} INTO {table} VALUES ({places}) {on_conflict}", rows)
