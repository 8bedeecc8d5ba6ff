"""Check the schema of a catalog before a row is read, because the file is untrusted.

A table could be a view with an endless query, and a trigger could write.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.catalog.schema import FULL_TEXT_STATEMENT, PAGE_TEXT_STATEMENT, TABLE_STATEMENTS
from cortexfs.catalog.sqlite_errors import DamagedDatabase

if TYPE_CHECKING:
    import sqlite3

MAX_SCHEMA_ENTRIES = 100
"""Maximum number of schema entries that are checked; a catalog has fewer."""
_SHADOW_TABLE = re.compile(
    r"CREATE TABLE '(?:page_)?words_(?:data|idx|content|docsize|config)'"
    r"\((?:[a-z0-9]+(?: INTEGER| BLOB)?(?: PRIMARY KEY)?(?:, )?)+(?:PRIMARY KEY\(segid, term\))?\)"
    r"(?: WITHOUT ROWID)?"
)
"""The shadow tables that SQLite's full-text index creates."""


def require_own_schema(db: sqlite3.Connection) -> None:
    """Raise `DamagedDatabase` if a schema is neither empty nor that of a catalog."""
    rows = db.execute(
        "SELECT type, sql FROM sqlite_master LIMIT ?", (MAX_SCHEMA_ENTRIES,)
    ).fetchall()
    found = {str(sql) for _, sql in rows if sql is not None}  # an automatic index has none
    if not rows:
        return
    expected = set(TABLE_STATEMENTS)
    definitions = {FULL_TEXT_STATEMENT.strip(), PAGE_TEXT_STATEMENT.strip()}
    full_text = {
        sql for sql in found - expected if sql in definitions or _SHADOW_TABLE.fullmatch(sql)
    }
    if (
        not expected <= found
        or found - expected - full_text
        or {kind for kind, _ in rows} - {"table", "index"}
    ):
        raise DamagedDatabase("its tables are not those of a catalog")
