"""Compare the schema of a catalog with ours before a row is read: the file is untrusted.

A table may be a view of an endless query, a trigger may write what nobody asked for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.catalog.schema import PAGE_WORDS, TABLES, WORDS
from cortexfs.catalog.sqlite_errors import Damaged

if TYPE_CHECKING:
    import sqlite3

MOST = 100
"""Entries of a schema that are looked at; ours has fewer."""
_SHADOW = re.compile(
    r"CREATE TABLE '(?:page_)?words_(?:data|idx|content|docsize|config)'"
    r"\((?:[a-z0-9]+(?: INTEGER| BLOB)?(?: PRIMARY KEY)?(?:, )?)+(?:PRIMARY KEY\(segid, term\))?\)"
    r"(?: WITHOUT ROWID)?"
)
"""The tables that SQLite's full text makes for itself."""


def refuse_foreign(db: sqlite3.Connection) -> None:
    """Raise `Damaged` where a schema is not empty and not ours."""
    rows = db.execute("SELECT type, sql FROM sqlite_master LIMIT ?", (MOST,)).fetchall()
    found = {str(sql) for _, sql in rows if sql is not None}  # an automatic index has none
    if not rows:
        return
    ours = set(TABLES)
    full_texts = {WORDS.strip(), PAGE_WORDS.strip()}
    words = {sql for sql in found - ours if sql in full_texts or _SHADOW.fullmatch(sql)}
    if not ours <= found or found - ours - words or {kind for kind, _ in rows} - {"table", "index"}:
        raise Damaged("its tables are not those of a catalog")
