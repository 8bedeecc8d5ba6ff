"""The derived SQLite file: made to agree with the tree before anything is read from it."""

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
from cortexfs.catalog.index_state import store_shown_reads
from cortexfs.catalog.schema import COLUMN_COUNTS, TABLE_STATEMENTS, insert_rows
from cortexfs.catalog.schema_check import require_own_schema
from cortexfs.catalog.sqlite_errors import DamagedDatabase, translate_sqlite_errors
from cortexfs.core.changes.changed_files import DeletedFile, find_changed_files
from cortexfs.core.changes.plan import FileText
from cortexfs.errors import CatalogFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from cortexfs.catalog.full_text_index import FullTextIndex
    from cortexfs.catalog.ranking_signals import RankingSignals
    from cortexfs.core.atoms.atom import Flaw
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.changes.changed_files import DiskChange, FileStamp, Stamped
    from cortexfs.core.changes.plan import IndexPlan
    from cortexfs.tree.tree import Tree

BUSY_TIMEOUT_S = 30
"""How long another process's refresh is waited for."""
PAGE_BYTES = 16_384
"""Bytes of a page: four times SQLite's own make the first build an eighth shorter."""
CACHE_KIB = 65_536
"""Pages that are kept in memory at the most; only a large tree has so many."""


@dataclass(slots=True, eq=False, weakref_slot=True)
class Catalog:
    """What is known of one tree. Delete the file freely; the next command makes it anew."""

    db: sqlite3.Connection
    path: str
    kinds: Kinds
    full_text: FullTextIndex | None = None
    """The full text, once somebody has asked for it: see `catalog.full_text_backend`."""
    ranking_signals: RankingSignals | None = None
    """What is known of atoms that were found before: see `catalog.ranking_signals`."""
    _end: finalize[..., Catalog] | None = None
    _file: tuple[int, int] | None = None
    """Device and inode of the file."""

    @classmethod
    def open(cls, directory: str, kinds: Kinds) -> Catalog:
        """Open the catalog of this format; one that is damaged is put aside and begun anew.

        Where the directory cannot be written (a read-only tree, a full disk) it lives in memory,
        and begins with what the file says.
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
        """Tell whether it has not been closed."""
        return self._end is not None and self._end.alive

    def is_same_file(self) -> bool:
        """Tell whether the file is still the one that was opened, and not put aside since."""
        return (
            self.path == database_file.IN_MEMORY
            or database_file.file_identity(self.path) == self._file
        )

    @property
    def identity(self) -> object:
        """What two connections have in common that see the same rows; in memory each is alone."""
        return (self._file or id(self), self.kinds.rows)

    def count_files(self) -> int:
        """Count the files whose stamps are known."""
        (count,) = self.db.execute("SELECT count(*) FROM files").fetchone()
        return int(count)

    def refresh(
        self,
        tree: Tree,
        kinds: Kinds,
        progress: Callable[[int, int], None] | None = None,
        among: Collection[str] | None = None,
        seen: Stamped | None = None,
    ) -> list[DiskChange]:
        """Make the catalog agree with the tree, or `among` some paths; return what had changed.

        A file whose stamp is the known one is not opened. `progress` is told how many of
        the changed files have been read, out of how many. With `seen` no stamp is read.
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
        """Take note of indexes that have just been written, without reading them again."""
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
        """Count the files that stand where atoms do, and cannot be read."""
        (count,) = self.db.execute("SELECT count(*) FROM atoms WHERE NOT readable").fetchone()
        return int(count)

    def get_value(self, key: str) -> str:
        """Give what was last remembered under a word; empty where nothing was."""
        row = self.db.execute("SELECT value FROM about WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def set_value(self, key: str, value: str) -> None:
        """Keep a text under a word, for the next run."""
        with self.write_transaction() as db:
            insert_rows(db, "about", [(key, value)])

    def quarantine(self) -> None:
        """Close this catalog and put its file aside as damaged, unless somebody has by now."""
        self.close()
        if self.path != database_file.IN_MEMORY and self.is_same_file():
            database_file.quarantine_database(self.path)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Hold one state of the catalog, whatever others write to it; we write nothing."""
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
        """Hold one write transaction; all of it happens, or none."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield self.db
        except BaseException:
            if self.db.in_transaction:  # a full disk has ended it already
                self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")

    def close(self) -> None:
        """Let go of the file."""
        if self._end:
            self._end()

    def _known(self, among: Collection[str] | None) -> dict[str, tuple[int, int, int]]:
        """Give the known stamps, as the plain tuples that they equal."""
        sql = "SELECT path, size, mtime_ns, ctime_ns FROM files"
        if among is not None:
            sql = f"{sql} WHERE path IN ({', '.join('?' * len(among))})"
        rows = self.db.execute(sql, tuple(among or ()))
        return {path: (size, mtime, ctime) for path, size, mtime, ctime in rows}

    def _version(self) -> int:
        """Give a number that changes when another connection has committed."""
        return int(self.db.execute("PRAGMA data_version").fetchone()[0])

    def _follow(
        self,
        change: DiskChange,
        kinds: Kinds,
        read: Callable[[str], FileText | Flaw],
        on_disk: Mapping[str, FileStamp],
        started: int,
    ) -> bool:
        """Take in what a file says now, or that it is gone; tell whether that is news."""
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
        """Begin anew where the catalog was made under other kinds, or by another version."""
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
    """Make the tables, unless another process is quicker."""
    db.execute("BEGIN IMMEDIATE")
    try:
        if db.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
            for statement in TABLE_STATEMENTS:
                db.execute(statement)
    finally:
        db.execute("COMMIT")


def compute_source_checksum(source: FileText | Flaw) -> bytes:
    """Name what was read, to tell whether it is the same again."""
    from hashlib import blake2b  # noqa: PLC0415 - it loads OpenSSL: only where a file changed

    text = getattr(source, "text", None) or repr(source)
    return blake2b(text.encode(errors="replace"), digest_size=16).digest()
