"""Vectors in a file of their own: known by what the text says, so that nothing is read twice."""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from cortexfs.catalog.catalog import BUSY_TIMEOUT_S
from cortexfs.catalog.database_file import (
    IN_MEMORY,
    copy_database,
    create_private_file,
    has_only_regular_files,
    quarantine_database,
)
from cortexfs.catalog.saved_checksums import has_matching_checksum, save_checksum
from cortexfs.catalog.sqlite_errors import DamagedDatabase, translate_sqlite_errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cortexfs.catalog.embeddings.embedding_model import Vector

VECTORS_VERSION = 1
"""In the file's name: vectors of another format are not found, hence made anew."""
ROWS_PER_BATCH = 8192
"""Rows that are compared at once: 12 MB, however many there are."""
SCALE_BYTES = 4
"""Bytes before the numbers of a row, which are a byte each: what 1 stands for."""

_TABLES = """
CREATE TABLE IF NOT EXISTS about (model TEXT);
CREATE TABLE IF NOT EXISTS vectors (
    content TEXT, part INTEGER, row BLOB, seal INTEGER, PRIMARY KEY (content, part)
) WITHOUT ROWID;
"""


class VectorStore(NamedTuple):
    """The vectors of one model; a text has one for each of its passages."""

    db: sqlite3.Connection

    def list_contents(self) -> set[str]:
        """Name all that is known."""
        return {content for (content,) in self.db.execute("SELECT DISTINCT content FROM vectors")}

    def put_vectors(self, content: str, rows: Iterable[Vector]) -> None:
        """Keep what a text means, all of it or nothing."""
        packed = list(map(_pack, rows))
        with self.db:
            self.db.execute("BEGIN IMMEDIATE")
            self.db.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)",
                ((content, part, row, crc32(row)) for part, row in enumerate(packed)),
            )

    def delete_contents(self, contents: Iterable[str]) -> None:
        """Forget texts."""
        gone = [(content,) for content in contents]
        with self.db:
            self.db.execute("BEGIN IMMEDIATE")
            self.db.executemany("DELETE FROM vectors WHERE content = ?", gone)

    def compute_cosines(self, row: Vector) -> dict[str, float]:
        """Tell how near each text is to a row; of its passages the nearest counts."""
        import numpy as np  # noqa: PLC0415 - only with the extra there is something to compare

        wanted = np.asarray(row, dtype=np.float32)
        best: dict[str, float] = {}
        rows = self.db.execute("SELECT content, row FROM vectors")
        while block := rows.fetchmany(ROWS_PER_BATCH):
            contents, packed = zip(*block, strict=True)
            cells = np.frombuffer(b"".join(packed), np.uint8).reshape(len(packed), -1)
            scales = cells[:, :SCALE_BYTES].copy().view("<f4")[:, 0]
            cosines = cells[:, SCALE_BYTES:].view(np.int8).astype(np.float32) @ wanted * scales
            for content, cosine in zip(contents, cosines.tolist(), strict=True):
                if cosine > best.get(content, -2.0):
                    best[content] = cosine
        return best


@contextmanager
def open_vectors(folder: str, model: str) -> Iterator[VectorStore]:
    """Open the vectors of a model; a damaged file is put aside and begun anew.

    Where the folder cannot be written they are a copy in memory. Raises `CatalogBusy` where
    another process holds the file for longer than anybody waits.
    """
    there = vectors_path(folder)
    path, copied = (there, "") if os.access(folder, os.W_OK) else (IN_MEMORY, there)
    if path != IN_MEMORY and not has_only_regular_files(path):
        quarantine_database(path)
    try:
        with translate_sqlite_errors():
            db = _open(path, model, copied)
    except DamagedDatabase:
        quarantine_database(path)
        db = _open(path, model)
    try:
        yield VectorStore(db)
    finally:
        wrote = db.total_changes
        db.close()
        if wrote and path != IN_MEMORY:
            save_checksum(path)


def vectors_path(folder: str) -> str:
    """Name the file of the vectors that belong to a catalog's folder."""
    return os.path.join(folder, f"vectors-v{VECTORS_VERSION}.sqlite")


def _open(path: str, model: str, copied: str = "") -> sqlite3.Connection:
    """Open the file, look it through where somebody else may have written, and clear it."""
    trusted = has_matching_checksum(path) or not os.path.exists(path)
    if path != IN_MEMORY:
        create_private_file(path)
    db = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
    try:
        if copied and has_matching_checksum(copied):
            copy_database(copied, db)
        db.executescript(f"PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; {_TABLES}")
        if not trusted:
            _verify(db)
        if db.execute("SELECT model FROM about").fetchall() != [(model,)]:
            with db:
                db.execute("BEGIN IMMEDIATE")
                db.execute("DELETE FROM vectors")
                db.execute("DELETE FROM about")
                db.execute("INSERT INTO about VALUES (?)", (model,))
    except BaseException:
        db.close()
        raise
    return db


def _verify(db: sqlite3.Connection) -> None:
    """Look at every page and every row; raises `Damaged` where one is."""
    (verdict,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    rows = db.execute("SELECT row, seal FROM vectors")
    if verdict != "ok" or any(
        not isinstance(row, bytes) or crc32(row) != sum_ for row, sum_ in rows
    ):
        raise DamagedDatabase("a vector is damaged")


def _pack(row: Vector) -> bytes:
    """Write a row with a byte a number: a cosine differs by less than a hundredth."""
    import numpy as np  # noqa: PLC0415

    numbers = np.asarray(row, dtype=np.float32)
    scale = np.float32(max(float(np.abs(numbers).max()), 1e-12) / 127)
    return bytes(scale.astype("<f4").tobytes() + np.rint(numbers / scale).astype(np.int8).tobytes())
