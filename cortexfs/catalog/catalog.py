"""The derived SQLite file: it is updated from the tree before it is read."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import finalize

from cortexfs import __version__
from cortexfs.catalog import database_file
from cortexfs.catalog.current_indexes import store_shown_reads
from cortexfs.catalog.schema import COLUMN_COUNTS, TABLE_STATEMENTS, insert_rows
from cortexfs.catalog.schema_check import require_own_schema
from cortexfs.catalog.sqlite_errors import DamagedDatabase, translate_sqlite_errors
from cortexfs.core.changes.disk_changes import DeletedFile, find_changed_files
from cortexfs.core.changes.plan import FileText
from cortexfs.errors import CatalogFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from cortexfs.catalog.full_text_index import FullTextIndex
    from cortexfs.catalog.ranking_signals import RankingSignals
    from cortexfs.core.atoms.atom import Flaw
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.changes.disk_changes import DiskChange, FileStamp, StampedFiles
    from cortexfs.core.changes.plan import IndexPlan
    from cortexfs.tree.tree import Tree

BUSY_TIMEOUT_S = 30
"""Seconds to wait for the refresh of another process."""
PAGE_BYTES = 16_384
"""Size of a page in bytes: four times SQLite's default makes the first build an eighth shorter."""
CACHE_KIB = 65_536
"""Maximum size of the page cache in KiB; only a large tree needs that much."""


@dataclass(slots=True, eq=False, weakref_slot=True)
class Catalog:
    """The derived data about one tree; if the file is deleted, the next command rebuilds it."""

    db: sqlite3.Connection
    path: str
    kinds: Kinds
    full_text: FullTextIndex | None = None
    """The full-text index, once it was needed: see `catalog.fulltext_backend`."""
    ranking_signals: RankingSignals | None = None
    """Cached ranking signals of atoms: see `catalog.ranking_signals`."""
    _end: finalize[..., Catalog] | None = None
    _file: tuple[int, int] | None = None
    """Device and inode of the file."""

    @classmethod
    def open(cls, directory: str, kinds: Kinds) -> Catalog:
        """Open the catalog of this format; a damaged one is put aside and rebuilt.

        If the directory is not writable (a read-only tree, a full disk), the catalog is in memory,
        and starts as a copy of the file.
        """
        path = database_file.catalog_path(directory)
        usable = os.access(directory, os.W_OK) and not database_file.has_symlink(path)
        if usable and not database_file.has_only_regular_files(path):
            database_file.quarantine_database(
                path
            )  # a pipe, a folder: nothing of ours, and SQLite might wait for it
        if usable and not os.path.exists(path):
            database_file.delete_older_formats(directory)
        for place in (path, path) if usable else ():
            try:
                with translate_sqlite_errors():
                    return cls._at(place, kinds)
            except DamagedDatabase:
                database_file.quarantine_database(path)
            except CatalogFailed:  # a full disk: reading goes on
                break
        return cls._at(database_file.IN_MEMORY, kinds, path if directory else "")

    @classmethod
    def _at(cls, path: str, kinds: Kinds, copied: str = "") -> Catalog:
        catalog = cls(_connect(path), path, kinds)
        if copied:
            database_file.copy_database(copied, catalog.db)
            require_own_schema(catalog.db)
        catalog._end = finalize(catalog, catalog.db.close)
        catalog._file = database_file.file_identity(path)
        catalog._belong_to(kinds)
        return catalog

    @property
    def is_open(self) -> bool:
        """Whether the catalog is open."""
        return self._end is not None and self._end.alive

    def is_same_file(self) -> bool:
        """Return whether the file is still the one that was opened, and was not put aside."""
        return (
            self.path == database_file.IN_MEMORY
            or database_file.file_identity(self.path) == self._file
        )

    @property
    def identity(self) -> object:
        """A value shared by connections with the same rows; each catalog in memory has its own."""
        return (self._file or id(self), self.kinds.rows)

    def count_files(self) -> int:
        """Return the number of files with a known stamp."""
        (count,) = self.db.execute("SELECT count(*) FROM files").fetchone()
        return int(count)

    def refresh(
        self,
        tree: Tree,
        kinds: Kinds,
        progress: Callable[[int, int], None] | None = None,
        among: Collection[str] | None = None,
        seen: StampedFiles | None = None,
    ) -> list[DiskChange]:
        """Update the catalog from the tree, or from `among` some paths; return the changes.

        A file with an unchanged stamp is not opened. `progress` is called with the number of
        changed files that were read, and their total. With `seen` no stamp is read.
        """
        started, on_disk = seen or (time.time_ns(), tree.stamp_files(kinds, among))
        if seen and among is not None:
            on_disk = {path: on_disk[path] for path in among if path in on_disk}
        version, known = self._version(), self._known(among)
        if on_disk == known:
            return []
        from cortexfs.catalog.ingest_file import mark_stale  # noqa: PLC0415 - see `_follow`

        with self.write_transaction() as db, tree.open_batch_reader() as read:
            if self._version() != version:  # somebody else was quicker
                known = self._known(among)
            changes, said_anew = list(find_changed_files(on_disk, known)), list[str]()
            for done, change in enumerate(changes, start=1):
                if self._follow(change, kinds, read, on_disk, started):
                    said_anew.append(change.path)
                if progress:
                    progress(done, len(changes))
            mark_stale(db, kinds, said_anew)
        return changes

    def record_written_indexes(self, tree: Tree, indexes: Sequence[IndexPlan]) -> None:
        """Record indexes that were just written, without reading them again."""
        now = time.time_ns()
        for path, _, write, shown, _ in indexes:
            if write:
                with self.write_transaction() as db:
                    store_shown_reads(db, path.rpartition("/")[0], shown)
                    digest = compute_source_checksum(FileText(path, write.text))
                    insert_rows(
                        db,
                        "files",
                        [(path, *tree.stamp_file(path).without_unsettled_times(now), digest)],
                    )

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
        if self.path != database_file.IN_MEMORY and self.is_same_file():
            database_file.quarantine_database(self.path)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Hold one read-only state of the catalog, whatever others write to it."""
        self.db.execute("PRAGMA query_only = ON")
        self.db.execute("BEGIN")
        try:
            self._version()  # a transaction begins with its first look at the file
            yield
        finally:
            if self.is_open:
                self.db.execute("ROLLBACK")
                self.db.execute("PRAGMA query_only = OFF")

    @contextmanager
    def write_transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold one write transaction: all of it is committed, or nothing."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield self.db
        except BaseException:
            if self.db.in_transaction:  # a full disk has ended it already
                self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")

    def close(self) -> None:
        """Close the database."""
        if self._end:
            self._end()

    def _known(self, among: Collection[str] | None) -> dict[str, tuple[int, int, int]]:
        """Return the known stamps as plain tuples, which compare equal to stamps."""
        sql = "SELECT path, size, mtime_ns, ctime_ns FROM files"
        if among is not None:
            sql = f"{sql} WHERE path IN ({', '.join('?' * len(among))})"
        rows = self.db.execute(sql, tuple(among or ()))
        return {path: (size, mtime, ctime) for path, size, mtime, ctime in rows}

    def _version(self) -> int:
        """Return a number that changes when another connection commits."""
        return int(self.db.execute("PRAGMA data_version").fetchone()[0])

    def _follow(
        self,
        change: DiskChange,
        kinds: Kinds,
        read: Callable[[str], FileText | Flaw],
        on_disk: Mapping[str, FileStamp],
        started: int,
    ) -> bool:
        """Update the rows of one changed or removed file; return whether its content changed."""
        from cortexfs.catalog.ingest_file import forget_file, ingest_file  # noqa: PLC0415 - they import the parser

        path = change.path
        if isinstance(change, DeletedFile):
            forget_file(self.db, path)
            self.db.execute("DELETE FROM files WHERE path = ?", (path,))
            return True
        source = read(path)
        digest = compute_source_checksum(source)
        known = self.db.execute("SELECT digest FROM files WHERE path = ?", (path,)).fetchone()
        if is_news := known is None or known[0] != digest:
            if known:
                forget_file(self.db, path)
            ingest_file(self.db, kinds, path, source)
        insert_rows(
            self.db, "files", [(path, *on_disk[path].without_unsettled_times(started), digest)]
        )
        return is_news

    def _belong_to(self, kinds: Kinds) -> None:
        """Clear the catalog if it was made with other kinds or by another version."""
        made_under = f"{__version__} {kinds.rows!r}"
        row = self.db.execute("SELECT value FROM about WHERE key = 'made under'").fetchone()
        if row == (made_under,):
            return
        with self.write_transaction() as db:
            for table in COLUMN_COUNTS:
                db.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
            db.execute("DROP TABLE IF EXISTS words")
            db.execute("DROP TABLE IF EXISTS page_words")
            insert_rows(db, "about", [("made under", made_under)])


def _connect(path: str) -> sqlite3.Connection:
    if path != database_file.IN_MEMORY:
        database_file.create_private_file(path)
    # closed by whichever thread closes the session
    db = sqlite3.connect(
        path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
    )
    # NORMAL: a kill or a power cut leaves an earlier state, whole; only checkpoints wait for a disk
    db.executescript(
        f"PRAGMA page_size = {PAGE_BYTES}; PRAGMA journal_mode = WAL;"
        f" PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF;"
        f" PRAGMA cell_size_check = ON; PRAGMA cache_size = -{CACHE_KIB};"
    )
    require_own_schema(db)
    if db.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
        _make_tables(db)
    return db


def _make_tables(db: sqlite3.Connection) -> None:
    """Create the tables, unless another process was faster."""
    db.execute("BEGIN IMMEDIATE")
    try:
        if db.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
            for statement in TABLE_STATEMENTS:
                db.execute(statement)
    finally:
        db.execute("COMMIT")


def compute_source_checksum(source: FileText | Flaw) -> bytes:
    """Return a 16-byte BLAKE2b checksum of what was read, to detect changes."""
    from hashlib import blake2b  # noqa: PLC0415 - it loads OpenSSL: only where a file changed

    text = getattr(source, "text", None) or repr(source)
    return blake2b(text.encode(errors="replace"), digest_size=16).digest()
