"""Notice damage: a stamp tells whether anybody else wrote to a file, sums what he hurt."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.catalog.sqlite_errors import Damaged

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    Cell = str | int | bytes
    Cells = tuple[Cell, ...]

ROWS = {
    "about": 3,
    "files": 6,
    "atoms": 9,
    "rows": 13,
    "shown": 5,
    "looks": 7,
    "torn": 4,
    "examined": 4,
    "waiting": 2,
    "texts": 16,
    "links": 6,
    "names": 3,
    "mentions": 5,
    "stale": 2,
    "rendered": 7,
}
"""Every table and how many columns it has; the last is the sum of the others."""


def insert(
    db: sqlite3.Connection, table: str, rows: Iterable[Cells], on_conflict: str = ""
) -> None:
    """Put rows into a table, each with its sum; one of the same key is replaced."""
    places = ", ".join("?" * ROWS[table])
    verb = "INSERT" if on_conflict else "INSERT OR REPLACE"
    summed = ((*row, _sum(row)) for row in rows)
    db.executemany(f"{verb} INTO {table} VALUES ({places}) {on_conflict}", summed)


def verify(db: sqlite3.Connection) -> None:
    """Look at every page and every row; raises `Damaged` where one is damaged."""
    (verdict,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        raise Damaged(verdict)
    for table in ROWS:
        for row in db.execute(f"SELECT * FROM {table}"):  # noqa: S608 - our own names
            if _sum(row[:-1]) != row[-1]:
                raise Damaged(f"a row of {table} is damaged")
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'words'").fetchone():
        db.execute("INSERT INTO words (words) VALUES ('integrity-check')")


def seal(path: str) -> None:
    """Remember what a file, or all in a folder, looks like now that we have written it."""
    with suppress(OSError):
        stamp = _stamp(path)
        if stamp != _sealed(path):
            with open(_seal_of(path), "w", encoding="ascii", opener=_private) as file:
                file.write(stamp)


def is_sealed(path: str) -> bool:
    """Tell whether a file or folder is as we left it; else it was killed, copied or damaged."""
    try:
        return _stamp(path) == _sealed(path)
    except OSError:
        return False


def _sum(row: Cells) -> int:
    from zlib import crc32  # noqa: PLC0415 - an idle run writes no row

    return crc32(repr(row).encode())


def _stamp(path: str) -> str:
    status = os.stat(path, follow_symlinks=False)
    if stat.S_ISDIR(status.st_mode):
        within = sorted(name for name in os.listdir(path) if not name.startswith("."))
        return str(_sum(tuple(f"{name} {_stamp(os.path.join(path, name))}" for name in within)))
    return f"{status.st_ino} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"


def _sealed(path: str) -> str:
    try:
        with open(_seal_of(path), "rb", opener=_private_read) as file:
            return file.read(200).decode(errors="replace")
    except FileNotFoundError:
        return ""


def _seal_of(path: str) -> str:
    return f"{path}.seal"


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


def _private_read(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
