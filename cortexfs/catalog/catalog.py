"""The derived SQLite file of a tree: opening it, its transactions, and its stored values."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cortexfs import __version__
from cortexfs.catalog import catalog_files
from cortexfs.catalog.connect_database import BUSY_TIMEOUT_S, connect, hold_write_transaction
from cortexfs.catalog.schema import (
    COLUMN_COUNTS,
    insert_rows,
    read_data_version,
)
from cortexfs.catalog.schema_check import require_own_schema
from cortexfs.catalog.sqlite_errors import DamagedDatabase, translate_sqlite_errors
from cortexfs.errors import CatalogBusy, CatalogFailed

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from cortexfs.catalog.full_text_index import FullTextIndex
    from cortexfs.catalog.known_counts import KnownCounts
    from cortexfs.catalog.known_surroundings import KnownSurroundings
    from cortexfs.catalog.ranking_signals import RankingSignals
    from cortexfs.core.atoms.kinds import Kinds

BUSY_PAUSE_S = 0.02
LIMITED_CACHE_KIB = 2048
"""Size of a limited page cache: a first catalog of 10,000 atoms is built as fast with it."""
LATE_CHECKPOINT_PAGES = 8000
"""Pages in the log of changes from which a change moves them into the file: 128 MB."""
MAX_CACHED_ATOMS, LIMITED_CACHED_ATOMS = 20_000, 2000
"""Maximum numbers of atoms with cached ranking signals and surroundings, of about 2 KiB each."""
LIMITED_INGESTED_TEXTS = 500
"""Texts in one transaction of a limited connection: more take no less time, and a process keeps
most of the memory: 40 MiB for 10,000 texts."""
MAX_OPEN_ATTEMPTS = 2
"""The second attempt is for a new file, after the damaged one was put aside."""


class Catalog:
    """The derived data about one tree; if the file is deleted, the next command rebuilds it."""

    def __init__(self, db: sqlite3.Connection, path: str, kinds: Kinds) -> None:
        self.db = db
        self.path = path
        self.kinds = kinds
        self.full_text: FullTextIndex | None = None
        """The full-text index, once it was needed: see `catalog.full_text_backend`."""
        self.ranking_signals: RankingSignals | None = None
        """Cached ranking signals of atoms: see `catalog.ranking_signals`."""
        self.surroundings: KnownSurroundings | None = None
        """What surrounds atoms, cached as well: see `catalog.known_surroundings`."""
        self.known_counts: KnownCounts | None = None
        """How often texts have searched terms: see `catalog.known_counts`."""
        self.embedding_progress: tuple[object, tuple[int, int]] | None = None
        """Cached numbers of texts with vectors and of all texts, after the state they are of."""
        self.max_cached_atoms = MAX_CACHED_ATOMS
        """Maximum number of atoms with cached ranking signals and surroundings."""
        self.max_ingested_texts = 0
        """Maximum number of texts in one transaction; 0: as many as the full-text index takes."""
        self.text_paths: list[str] | None = None
        """The texts that are not atoms, as last examined: see `catalog.finding_cache`."""
        self.is_open = True
        """Whether the catalog is open."""
        self._file_identity: tuple[int, int] | None = None
        """Device and inode of the file."""

    @classmethod
    def open(cls, directory: str, kinds: Kinds) -> Catalog:
        """Open the catalog of this format; a damaged one is put aside and rebuilt.

        If the directory is not writable (a read-only tree, a full disk), the catalog is in memory,
        and starts as a copy of the file.
        """
        path = catalog_files.catalog_path(directory)
        usable = os.access(directory, os.W_OK) and not catalog_files.has_symlink(path)
        if usable and not catalog_files.has_only_regular_files(path):
            catalog_files.quarantine_database(path)  # SQLite might wait for a pipe
        if usable and catalog_files.has_second_name(path):
            catalog_files.delete_second_names(path)
        if usable and not os.path.exists(path):
            catalog_files.delete_older_formats(directory)
        for _ in range(MAX_OPEN_ATTEMPTS if usable else 0):
            try:
                return cls._open_when_free(path, kinds)
            except DamagedDatabase:
                catalog_files.quarantine_database(path)
            except CatalogFailed:  # a full disk: the catalog in memory can still be read
                break
        return cls._open_at(catalog_files.IN_MEMORY, kinds, path if directory else "")

    @classmethod
    def _open_when_free(cls, path: str, kinds: Kinds) -> Catalog:
        """Open the file; to set WAL mode SQLite does not wait for another that does the same."""
        deadline = time.monotonic() + BUSY_TIMEOUT_S
        while True:
            try:
                with translate_sqlite_errors():
                    return cls._open_at(path, kinds)
            except CatalogBusy:
                if time.monotonic() > deadline:
                    raise
            time.sleep(BUSY_PAUSE_S)

    @classmethod
    def _open_at(cls, path: str, kinds: Kinds, source: str = "") -> Catalog:
        """Open the file at a path; with `source`, fill it from that file first."""
        catalog = cls(connect(path), path, kinds)
        if source:
            catalog_files.copy_database(source, catalog.db)
            require_own_schema(catalog.db)
        catalog._file_identity = catalog_files.file_identity(path)
        catalog._clear_if_outdated()
        return catalog

    def is_same_file(self) -> bool:
        """Return whether the file is still the one that was opened, and was not put aside."""
        return (
            self.path == catalog_files.IN_MEMORY
            or catalog_files.file_identity(self.path) == self._file_identity
        )

    @property
    def identity(self) -> object:
        """A value shared by connections with the same rows, until the catalog is emptied."""
        return (self.describe_file(), self.kinds.rows)

    def describe_file(self) -> str:
        """Return the file of the catalog, and a random name of the time since it was empty."""
        device, inode = self._file_identity or ("memory", id(self))
        return f"{device}.{inode}.{self.get_value('empty before')}"

    def limit_caches(self) -> None:
        """Keep little in memory: for a connection that is one of many, and open for days.

        `move_log_into_file` is then called regularly, so that no change has to do it.
        """
        self.db.execute(f"PRAGMA cache_size = -{LIMITED_CACHE_KIB}")
        self.db.execute(f"PRAGMA wal_autocheckpoint = {LATE_CHECKPOINT_PAGES}")
        self.max_cached_atoms = LIMITED_CACHED_ATOMS
        self.max_ingested_texts = LIMITED_INGESTED_TEXTS

    def move_log_into_file(self) -> None:
        """Move what was written into the file itself; nobody waits for it."""
        self.db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    def count_files(self) -> int:
        """Return the number of files with a known stamp."""
        (count,) = self.db.execute("SELECT count(*) FROM files").fetchone()
        return int(count)

    def count_unreadable(self) -> int:
        """Return the number of unreadable files among the atoms."""
        (count,) = self.db.execute("SELECT count(*) FROM atoms WHERE NOT readable").fetchone()
        return int(count)

    def get_value(self, key: str) -> str:
        """Return the value of a key from an earlier run; empty if there is none."""
        row = self.db.execute("SELECT value FROM about WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def set_value(self, key: str, value: str) -> None:
        """Store a value under a key, for later runs."""
        with self.write_transaction() as db:
            insert_rows(db, "about", [(key, value)])

    def quarantine(self) -> None:
        """Close this catalog and put its file aside as damaged, unless that was already done."""
        self.close()
        if self.path != catalog_files.IN_MEMORY and self.is_same_file():
            catalog_files.quarantine_database(self.path)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Hold one read-only state of the catalog, whatever others write to it."""
        self.db.execute("PRAGMA query_only = ON")
        self.db.execute("BEGIN")
        try:
            read_data_version(self.db)  # a transaction begins with its first read
            yield
        finally:
            if self.is_open:
                self.db.execute("ROLLBACK")
                self.db.execute("PRAGMA query_only = OFF")

    @contextmanager
    def write_transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold one write transaction: all of it is committed, or nothing."""
        with hold_write_transaction(self.db):
            yield self.db

    def close(self) -> None:
        """Close the database, which no other thread may be reading."""
        self.is_open = False
        self.db.close()

    def _clear_if_outdated(self) -> None:
        """Clear the catalog if it was filled with other kinds, or by another version."""
        made_under = f"{__version__} {self.kinds.rows!r}"
        if self.get_value("made under") == made_under:
            return
        with self.write_transaction() as db:
            if self.get_value("made under") == made_under:
                return  # another thread or process has cleared it, and may have filled it since
            for table in COLUMN_COUNTS:
                db.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
            db.execute("DROP TABLE IF EXISTS words")
            db.execute("DROP TABLE IF EXISTS page_words")
            values = {"made under": made_under, "empty before": os.urandom(16).hex()}
            insert_rows(db, "about", list(values.items()))
