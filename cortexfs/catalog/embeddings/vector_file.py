"""Vectors in a file of their own, keyed by the content of a text so that none is embedded twice."""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from cortexfs.catalog.catalog_files import (
    IN_MEMORY,
    copy_database,
    enable_wal,
    has_only_regular_files,
    prepare_database,
    quarantine_database,
)
from cortexfs.catalog.connect_database import BUSY_TIMEOUT_S
from cortexfs.catalog.derived_file_seal import has_matching_checksum, save_checksum
from cortexfs.catalog.sqlite_errors import DamagedDatabase, translate_sqlite_errors

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from cortexfs.catalog.embeddings.model_types import Vector

    Matrix = NDArray[np.float32]

VECTORS_VERSION = 1
"""Part of the file name: vectors of another format are not found, and are computed again."""
ROWS_PER_BLOCK = 512
"""Number of rows that are compared with all at once: 20 MB for ten thousand."""
SCALE_BYTES = 4
"""Bytes of the scale before the numbers of a row, which have one byte each."""

_TABLES = (
    "about (model TEXT)",
    """vectors (
    content TEXT, part INTEGER, row BLOB, seal INTEGER, PRIMARY KEY (content, part)
) WITHOUT ROWID""",
)


class VectorStore(NamedTuple):
    """The vectors of one model; a text has one for each of its passages."""

    db: sqlite3.Connection

    def list_contents(self) -> set[str]:
        """Return the keys of all contents with vectors."""
        return {content for (content,) in self.db.execute("SELECT DISTINCT content FROM vectors")}

    def put_vectors(self, content: str, rows: Iterable[Vector]) -> None:
        """Store all vectors of a text in one transaction."""
        packed = list(map(_pack_vector, rows))
        with self.db:
            self.db.execute("BEGIN IMMEDIATE")
            self.db.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)",
                ((content, part, row, crc32(row)) for part, row in enumerate(packed)),
            )

    def delete_contents(self, contents: Iterable[str]) -> None:
        """Delete the vectors of texts."""
        removed = [(content,) for content in contents]
        with self.db:
            self.db.execute("BEGIN IMMEDIATE")
            self.db.executemany("DELETE FROM vectors WHERE content = ?", removed)

    def list_rows(self) -> list[tuple[str, bytes]]:
        """Return each content with a packed row, one for each passage, all first ones first."""
        return self.db.execute("SELECT content, row FROM vectors ORDER BY part, content").fetchall()

    def find_similar_contents(
        self, contents: Collection[str], least: float, limit: int
    ) -> Iterator[tuple[str, str, float]]:
        """Yield the pairs of some contents with a cosine from `least` on, each once.

        They are compared by their first passages; of one content `limit` are looked at.
        """
        import numpy as np  # noqa: PLC0415

        keys, rows = self._read_first_rows(contents)
        found: dict[tuple[int, int], float] = {}
        for start in range(0, len(keys), ROWS_PER_BLOCK):
            cosines = rows[start : start + ROWS_PER_BLOCK] @ rows.T
            for own, line in enumerate(cosines, start):
                line[own] = -2.0
                for other in np.argpartition(-line, min(limit, len(keys) - 1))[:limit].tolist():
                    if line[other] >= least:
                        found[min(own, other), max(own, other)] = float(line[other])
        for (one, other), cosine in found.items():
            yield keys[one], keys[other], cosine

    def _read_first_rows(self, contents: Collection[str]) -> tuple[list[str], Matrix]:
        """Return the contents that have vectors, and the first vector of each."""
        import numpy as np  # noqa: PLC0415

        query = "SELECT content, row FROM vectors WHERE part = 0 ORDER BY content"
        found = [each for each in self.db.execute(query) if each[0] in contents]
        if not found:
            return [], np.zeros((0, 0), dtype=np.float32)
        keys, packed = zip(*found, strict=True)
        cells = np.frombuffer(b"".join(packed), np.uint8).reshape(len(packed), -1)
        scales = cells[:, :SCALE_BYTES].copy().view("<f4")
        return list(keys), cells[:, SCALE_BYTES:].view(np.int8).astype(np.float32) * scales


@contextmanager
def open_vectors(folder: str, model: str) -> Iterator[VectorStore]:
    """Open the vectors of a model; a damaged file is put aside and rebuilt.

    If the folder is not writable they are a copy in memory. Raises `CatalogBusy` if another process
    locks the file for longer than the timeout.
    """
    file_path = vectors_path(folder)
    path, source = (file_path, "") if os.access(folder, os.W_OK) else (IN_MEMORY, file_path)
    if path != IN_MEMORY and not has_only_regular_files(path):
        quarantine_database(path)
    try:
        with translate_sqlite_errors():
            db = _open_database(path, model, source)
    except DamagedDatabase:
        quarantine_database(path)
        db = _open_database(path, model)
    try:
        yield VectorStore(db)
    finally:
        wrote = db.total_changes
        db.close()
        if wrote and path != IN_MEMORY:
            save_checksum(path)


def vectors_path(folder: str) -> str:
    """Return the path of the vector file in a catalog's folder."""
    return os.path.join(folder, f"vectors-v{VECTORS_VERSION}.sqlite")


def _open_database(path: str, model: str, source: str = "") -> sqlite3.Connection:
    """Open the file, verify it if another program may have written it, and clear other models."""
    trusted = has_matching_checksum(path) or not os.path.exists(path)
    if path != IN_MEMORY:
        prepare_database(path)
    db = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
    try:
        if source and has_matching_checksum(source):
            copy_database(source, db)
        enable_wal(db, path)
        db.executescript("PRAGMA synchronous = OFF; PRAGMA trusted_schema = OFF;")
        for table in _TABLES:
            db.execute(f"CREATE TABLE IF NOT EXISTS {table}")
        _require_own_schema(db)
        if not trusted:
            _verify_rows(db)
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


def _require_own_schema(db: sqlite3.Connection) -> None:
    """Raise `DamagedDatabase` for other tables: a view may be endless, and a trigger may write."""
    rows = db.execute("SELECT sql FROM sqlite_master LIMIT ?", (len(_TABLES) + 1,)).fetchall()
    if {sql for (sql,) in rows} != {f"CREATE TABLE {table}" for table in _TABLES}:
        raise DamagedDatabase("its tables are not those of the vectors")


def _verify_rows(db: sqlite3.Connection) -> None:
    """Check every page and every row; raises `DamagedDatabase` if one is damaged."""
    (verdict,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    rows = db.execute("SELECT row, seal FROM vectors")
    if verdict != "ok" or any(
        not isinstance(row, bytes) or crc32(row) != checksum for row, checksum in rows
    ):
        raise DamagedDatabase("a vector is damaged")


def _pack_vector(row: Vector) -> bytes:
    """Pack a row with one byte per number: the error of a cosine is below a hundredth."""
    import numpy as np  # noqa: PLC0415

    numbers = np.asarray(row, dtype=np.float32)
    scale = np.float32(max(float(np.abs(numbers).max()), 1e-12) / 127)
    return bytes(scale.astype("<f4").tobytes() + np.rint(numbers / scale).astype(np.int8).tobytes())
