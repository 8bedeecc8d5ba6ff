"""Connect to the file of the catalog, with the settings of SQLite that it needs."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cortexfs.catalog import catalog_files
from cortexfs.catalog.schema import TABLE_STATEMENTS
from cortexfs.catalog.schema_check import require_own_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

BUSY_TIMEOUT_S = 30
"""Seconds to wait for the refresh of another process."""
PAGE_BYTES = 16_384
"""Size of a page in bytes: four times SQLite's default makes the first build an eighth shorter."""
CACHE_KIB = 65_536
"""Maximum size of the page cache in KiB; only a large tree needs that much."""


class CatalogConnection(sqlite3.Connection):
    """A connection that is closed when nobody uses it any more.

    Whoever reads from it holds it: to close it explicitly while another thread reads would crash.
    """

    def __del__(self) -> None:
        """Close the connection; from Python 3.13 on, `sqlite3` would warn that nobody did."""
        self.close()


def connect(path: str) -> sqlite3.Connection:
    """Return a connection to a database; its tables are created if it is empty."""
    if path != catalog_files.IN_MEMORY:
        catalog_files.prepare_database(path)
    db = sqlite3.connect(
        path,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,  # its last user may be another thread
        factory=CatalogConnection,
    )
    try:
        # NORMAL: after a kill or a power cut the file has an earlier, complete state
        db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        catalog_files.enable_wal(db, path)
        db.executescript(
            f"PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF;"
            f" PRAGMA cell_size_check = ON; PRAGMA cache_size = -{CACHE_KIB};"
        )
        db.create_function("fold_case", 1, str.casefold, deterministic=True)
        require_own_schema(db)
        if _is_empty(db):
            _create_tables(db)
    except BaseException:
        db.close()
        raise
    return db


def _create_tables(db: sqlite3.Connection) -> None:
    """Create the tables, unless another process was faster."""
    with hold_write_transaction(db):
        if _is_empty(db):
            for statement in TABLE_STATEMENTS:
                db.execute(statement)


def _is_empty(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM sqlite_master").fetchone() is None


@contextmanager
def hold_write_transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Commit all that is written meanwhile, or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if db.in_transaction:  # a full disk has ended it already
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
