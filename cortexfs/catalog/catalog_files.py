"""The files of the catalog: their paths, and what happens to obsolete and damaged ones."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import stat
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING
from urllib.parse import quote

from cortexfs.catalog.schema import SCHEMA_VERSION
from cortexfs.errors import CatalogFailed

if TYPE_CHECKING:
    from collections.abc import Sequence

IN_MEMORY = ":memory:"
"""The path of a catalog without a file."""
LARGE_INDEX_PREFIX = "words-large-v"
"""The beginning of the name of the folder with the full-text index of a large tree."""
LARGE_INDEX_VERSION = 3
"""A different layout of its fields gets a different number."""
_FILE_SUFFIXES = ("", "-wal", "-shm")


def catalog_path(directory: str) -> str:
    """Return the path of the catalog of this format."""
    return os.path.join(directory, f"catalog-v{SCHEMA_VERSION}.sqlite")


def prepare_database(path: str) -> None:
    """Make the files of a database safe to open: private, and without a rollback journal.

    Our databases never have a rollback journal. A foreign one can name any file for SQLite to
    delete, or be a pipe. Raises `CatalogFailed` if it cannot be removed.
    """
    _remove_rollback_journal(path)
    with suppress(OSError):  # it exists, or only root may do this, as on macOS
        os.mknod(path, 0o600 | stat.S_IFREG)  # SQLite's own mode depends on the umask
    for end in _FILE_SUFFIXES:
        # not opened: closing a file releases the locks of this process on it
        with suppress(OSError):
            mode = os.stat(path + end, follow_symlinks=False).st_mode
            if stat.S_ISREG(mode) and mode & 0o077:
                os.chmod(path + end, mode & 0o600)


def _remove_rollback_journal(path: str) -> None:
    """Remove a journal of any kind, without following a link; a folder is put aside."""
    journal = f"{path}-journal"
    try:
        if os.path.isdir(journal) and not os.path.islink(journal):
            os.replace(journal, f"{path}.damaged-journal.{time.time_ns()}")
        else:
            os.unlink(journal)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise CatalogFailed(f"{journal}: {error.strerror}") from None


def enable_wal(db: sqlite3.Connection, path: str) -> None:
    """Set WAL mode; no rollback journal is written, which another process would remove."""
    # suppressed: another process has just set WAL mode, or has put the file aside
    with suppress(sqlite3.OperationalError, FileNotFoundError):
        if path != IN_MEMORY and not os.path.getsize(path):
            db.execute("PRAGMA journal_mode = MEMORY")
    db.execute("PRAGMA journal_mode = WAL")


def has_symlink(path: str) -> bool:
    """Return whether a file of a catalog is a link; such a catalog is not used."""
    return any(os.path.islink(path + end) for end in _FILE_SUFFIXES)


def has_only_regular_files(path: str) -> bool:
    """Return whether all existing files of a catalog are regular."""
    for end in _FILE_SUFFIXES:
        with suppress(FileNotFoundError):  # the last connection of another process removes it
            if not stat.S_ISREG(os.stat(path + end, follow_symlinks=False).st_mode):
                return False
    return True


def has_second_name(path: str) -> bool:
    """Return whether a file of a catalog has another name too, as in a copy made of hard links.

    Each tree would write its own log for the same file.
    """
    return any(_count_names(path + end) > 1 for end in _FILE_SUFFIXES)


def delete_second_names(path: str) -> None:
    """Delete the files of a catalog that have another name; it is built again.

    A file that another process has just made has one name, and stays.
    """
    for end in _FILE_SUFFIXES:
        if _count_names(path + end) > 1:
            with suppress(FileNotFoundError):
                os.unlink(path + end)


def _count_names(path: str) -> int:
    try:
        return os.stat(path, follow_symlinks=False).st_nlink
    except FileNotFoundError:
        return 0


def file_identity(path: str) -> tuple[int, int] | None:
    """Return device and inode of a file; None if there is none."""
    try:
        status = os.stat(path, follow_symlinks=False)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def quarantine_database(path: str) -> None:
    """Rename a damaged catalog, so that it can be examined."""
    for end in (*_FILE_SUFFIXES, ".seal"):
        if os.path.lexists(path + end):
            # a folder cannot replace the folder of an earlier time
            unique = f".{time.time_ns()}" if os.path.isdir(path + end) else ""
            os.replace(path + end, f"{path}.damaged{end}{unique}")


def copy_database(path: str, target: sqlite3.Connection) -> None:
    """Copy a read-only database, if all of it is in one file."""
    if (
        has_only_regular_files(path)
        and os.path.lexists(path)
        and not (os.path.lexists(f"{path}-wal") and os.path.getsize(f"{path}-wal"))
    ):
        # in a folder that cannot be written, SQLite cannot use a WAL
        uri = f"file:{quote(path)}?immutable=1"
        with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(uri, uri=True)) as source:
            (tables,) = source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if tables:  # SQLite 3.40 crashes when it copies an empty file to other page sizes
                source.backup(target)


def query_read_only(
    directory: str, sql: str, parameters: Sequence[str]
) -> list[tuple[object, ...]]:
    """Return the rows of one query on the catalog as it is; empty if it cannot be read now.

    Nothing is written or waited for: this serves shell completion.
    """
    path = catalog_path(directory)
    if (
        not has_only_regular_files(path)
        or not os.path.isfile(path)
        or os.path.lexists(f"{path}-journal")
    ):
        return []
    for mode in ("mode=ro", "immutable=1"):  # the second where the folder cannot be written
        with suppress(sqlite3.Error, UnicodeError), closing(_connect_read_only(path, mode)) as db:
            return db.execute(sql, parameters).fetchall()
    return []


def _connect_read_only(path: str, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(path)}?{mode}", uri=True, timeout=0)


def delete_older_formats(directory: str) -> None:
    """Delete the catalogs and full-text indexes of earlier formats, which are no longer read."""
    current = {"catalog-v": SCHEMA_VERSION, LARGE_INDEX_PREFIX: LARGE_INDEX_VERSION}
    for name in os.listdir(directory):
        older = re.match(rf"(catalog-v|{LARGE_INDEX_PREFIX})([0-9]{{1,9}})(?:\.sqlite|$)", name)
        if older and int(older[2]) < current[older[1]]:
            with suppress(OSError):
                delete_path(os.path.join(directory, name))


def delete_path(path: str) -> None:
    """Delete a file, or a folder with all that it contains; of a link only the link."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)
