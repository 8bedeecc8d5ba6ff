"""Vectors in a file of their own: known by what the text says, so that nothing is read twice."""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from cortexfs.catalog.catalog import WAIT_S
from cortexfs.catalog.checksums import is_sealed, seal
from cortexfs.catalog.database_file import IN_MEMORY, copy, is_regular, make_private, put_aside
from cortexfs.catalog.sqlite_errors import Damaged, reported

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cortexfs.catalog.embeddings.embedding_model import Row

FORMAT = 1
"""In the file's name: vectors of another format are not found, hence made anew."""
AT_ONCE = 8192
"""Rows that are compared at once: 12 MB, however many there are."""
SCALE = 4
"""Bytes before the numbers of a row, which are a byte each: what 1 stands for."""

_TABLES = """
CREATE TABLE IF NOT EXISTS about (model TEXT);
CREATE TABLE IF NOT EXISTS vectors (
    content TEXT, part INTEGER, row BLOB, seal INTEGER, PRIMARY KEY (content, part)
) WITHOUT ROWID;
"""


class Store(NamedTuple):
    """The vectors of one model; a text has one for each of its passages."""

    db: sqlite3.Connection

    def contents(self) -> set[str]:
        """Name all that is known."""
        return {content for (content,) in self.db.execute("SELECT DISTINCT content FROM vectors")}

    def put(self, content: str, rows: Iterable[Row]) -> None:
        """Keep what a text means, all of it or nothing."""
        packed = list(map(_pack, rows))
        with self.db:
            self.db.execute("BEGIN IMMEDIATE")
            self.db.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)",
                ((content, part, row, crc32(row)) for part, row in enumerate(packed)),
            )

    def drop(self, contents: Iterable[str]) -> None:
        """Forget texts."""
        gone = [(content,) for content in contents]
        with self.db:
            self.db.execute("BEGIN IMMEDIATE")
            self.db.executemany("DELETE FROM vectors WHERE content = ?", gone)

    def cosines(self, row: Row) -> dict[str, float]:
        """Tell how near each text is to a row; of its passages the nearest counts."""
        import numpy as np  # noqa: PLC0415 - only with the extra there is something to compare

        wanted = np.asarray(row, dtype=np.float32)
        best: dict[str, float] = {}
        rows = self.db.execute("SELECT content, row FROM vectors")
        while block := rows.fetchmany(AT_ONCE):
            contents, packed = zip(*block, strict=True)
            cells = np.frombuffer(b"".join(packed), np.uint8).reshape(len(packed), -1)
            scales = cells[:, :SCALE].copy().view("<f4")[:, 0]
            cosines = cells[:, SCALE:].view(np.int8).astype(np.float32) @ wanted * scales
            for content, cosine in zip(contents, cosines.tolist(), strict=True):
                if cosine > best.get(content, -2.0):
                    best[content] = cosine
        return best


@contextmanager
def opened(folder: str, model: str) -> Iterator[Store]:
    """Open the vectors of a model; a damaged file is put aside and begun anew.

    Where the folder cannot be written they are a copy in memory. Raises `CatalogBusy` where
    another process holds the file for longer than anybody waits.
    """
    there = path_in(folder)
    path, copied = (there, "") if os.access(folder, os.W_OK) else (IN_MEMORY, there)
    if path != IN_MEMORY and not is_regular(path):
        put_aside(path)
    try:
        with reported():
            db = _open(path, model, copied)
    except Damaged:
        put_aside(path)
        db = _open(path, model)
    try:
        yield Store(db)
    finally:
        wrote = db.total_changes
        db.close()
        if wrote and path != IN_MEMORY:
            seal(path)


def path_in(folder: str) -> str:
    """Name the file of the vectors that belong to a catalog's folder."""
    return os.path.join(folder, f"vectors-v{FORMAT}.sqlite")


def _open(path: str, model: str, copied: str = "") -> sqlite3.Connection:
    """Open the file, look it through where somebody else may have written, and clear it."""
    trusted = is_sealed(path) or not os.path.exists(path)
    if path != IN_MEMORY:
        make_private(path)
    db = sqlite3.connect(path, timeout=WAIT_S, isolation_level=None)
    try:
        if copied and is_sealed(copied):
            copy(copied, db)
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
        raise Damaged("a vector is damaged")


def _pack(row: Row) -> bytes:
    """Write a row with a byte a number: a cosine differs by less than a hundredth."""
    import numpy as np  # noqa: PLC0415

    numbers = np.asarray(row, dtype=np.float32)
    scale = np.float32(max(float(np.abs(numbers).max()), 1e-12) / 127)
    return bytes(scale.astype("<f4").tobytes() + np.rint(numbers / scale).astype(np.int8).tobytes())
