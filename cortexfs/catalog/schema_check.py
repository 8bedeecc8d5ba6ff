"""Compare the schema of a catalog with ours before a row is read: the file is untrusted.

A table may be a view of an endless query, a trigger may write what nobody asked for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.catalog.schema import FULL_TEXT_STATEMENT, PAGE_TEXT_STATEMENT, TABLE_STATEMENTS
from cortexfs.catalog.sqlite_errors import DamagedDatabase

if TYPE_CHECKING:
    import sqlite3

MAX_SCHEMA_ENTRIES = 100
"""Entries of a schema that are looked at; ours has fewer."""
_SHADOW = re.compile(
    r"CREATE TABLE '(?:page_)?words_(?:data|idx|content|docsize|config)'"
    r"\((?:[a-z0-9]+(?: INTEGER| BLOB)?(?: PRIMARY KEY)?(?:, )?)+(?:PRIMARY KEY\(segid, term\))?\)"
    r"(?: WITHOUT ROWID)?"
)
"""The tables that SQLite's full text makes for itself."""


def require_own_schema(db: sqlite3.Connection) -> None:
    """Raise `Damaged` where a schema is not empty and not ours."""
    rows = db.execute(
        "SELECT type, sql FROM sqlite_master LIMIT ?", (MAX_SCHEMA_ENTRIES,)
    ).fetchall()
    found = {str(sql) for _, sql in rows if sql is not None}  # an automatic index has none
    if not rows:
        return
    ours = set(TABLE_STATEMENTS)
    full_texts = {FULL_TEXT_STATEMENT.strip(), PAGE_TEXT_STATEMENT.strip()}
    words = {sql for sql in found - ours if sql in full_texts or _SHADOW.fullmatch(sql)}
    if not ours <= found or found - ours - words or {kind for kind, _ in rows} - {"table", "index"}:
        raise DamagedDatabase("its tables are not those of a catalog")
