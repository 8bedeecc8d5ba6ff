"""The files of the catalog: where it lies, and what becomes of those that nobody reads."""

from __future__ import annotations

import os
import re
import sqlite3
import stat
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING
from urllib.parse import quote

from cortexfs.catalog.schema import SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

IN_MEMORY = ":memory:"
"""The path of a catalog that has no file."""
_ENDS = ("", "-wal", "-shm")


def catalog_path(directory: str) -> str:
    """Name the catalog of this format."""
    return os.path.join(directory, f"catalog-v{SCHEMA_VERSION}.sqlite")


def create_private_file(path: str) -> None:
    """Make an empty database for its owner alone; SQLite's mode depends on the umask.

    It is not opened: to close it would end the locks that this process has on it.
    """
    with suppress(OSError):  # it is there, or only root may do this, as on macOS
        os.mknod(path, 0o600 | stat.S_IFREG)


def has_symlink(path: str) -> bool:
    """Tell whether a file of a catalog is a link: it may lead anywhere, so we stay away."""
    return any(os.path.islink(path + end) for end in _ENDS)


def has_only_regular_files(path: str) -> bool:
    """Tell whether the files of a catalog are regular ones, as far as they are there."""
    modes = [os.stat(path + end, follow_symlinks=False).st_mode for end in _ENDS if _is(path + end)]
    return all(map(stat.S_ISREG, modes))


def _is(path: str) -> bool:
    return os.path.lexists(path)


def file_identity(path: str) -> tuple[int, int] | None:
    """Return device and inode of a file; None where there is none."""
    try:
        status = os.stat(path, follow_symlinks=False)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def quarantine_database(path: str) -> None:
    """Keep a damaged catalog for whoever wants to know why, out of the way."""
    for end in (*_ENDS, ".seal"):
        if os.path.lexists(path + end):
            unique = f".{time.time_ns()}" if os.path.isdir(path + end) else ""  # else it is full
            os.replace(path + end, f"{path}.damaged{end}{unique}")


def copy_database(path: str, target: sqlite3.Connection) -> None:
    """Copy a database that we may only read, where all of it is in one file."""
    if (
        has_only_regular_files(path)
        and _is(path)
        and not (_is(f"{path}-wal") and os.path.getsize(f"{path}-wal"))
    ):
        there = f"file:{quote(path)}?immutable=1"  # where nothing can be written, WAL cannot be
        with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(there, uri=True)) as known:
            (tables,) = known.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if tables:  # SQLite 3.40 crashes where it copies an empty file into other pages
                known.backup(target)


def query_read_only(
    directory: str, sql: str, parameters: Sequence[str]
) -> list[tuple[object, ...]]:
    """Return the rows of one query on the catalog as it is; none where it cannot be read now.

    Nothing is written or waited for: this serves a shell that completes a word.
    """
    path = catalog_path(directory)
    if has_symlink(path) or not os.path.isfile(path):
        return []
    for mode in ("mode=ro", "immutable=1"):  # the second where the folder cannot be written
        with suppress(sqlite3.Error, UnicodeError), closing(_read_only(path, mode)) as db:
            return db.execute(sql, parameters).fetchall()
    return []


def _read_only(path: str, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(path)}?{mode}", uri=True, timeout=0)


def delete_older_formats(directory: str) -> None:
    """Delete the catalogs of earlier formats: nobody reads them any more."""
    for name in os.listdir(directory):
        older = re.match(r"catalog-v([0-9]{1,9})\.sqlite", name)
        if older and int(older[1]) < SCHEMA_VERSION:
            with suppress(OSError):
                os.unlink(os.path.join(directory, name))
