"""A database of our own for rows that are sorted: on disk only if they are many."""

from __future__ import annotations

import sqlite3

CACHE_KIB = 16_384
"""Memory in KiB from which SQLite writes to the file, which has no name and ends with us."""


def open_temporary_database(create_sql: str) -> sqlite3.Connection:
    """Return a new database with a table; whichever thread shows its rows may read it."""
    db = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    db.executescript(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE;"
        f" PRAGMA cache_size = -{CACHE_KIB}; {create_sql}"
    )
    return db
