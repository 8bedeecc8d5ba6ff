"""Classify SQLite's errors by their code: only a corrupt file is worth rebuilding."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cortexfs.errors import CatalogBusy, CatalogFailed

if TYPE_CHECKING:
    from collections.abc import Iterator

_BUSY_CODES = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_CORRUPT_CODES = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_CORRUPT_MESSAGES = ("Could not decode to UTF-8", "invalid fts5 file format")
"""The messages of two errors whose code does not show the corruption."""
_DISK_CODES = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_NOMEM,
}


class DamagedDatabase(Exception):
    """The file is corrupt, or is not a catalog."""


@contextmanager
def translate_sqlite_errors() -> Iterator[None]:
    """Raise `CatalogBusy`, `DamagedDatabase` or `CatalogFailed` for SQLite's errors about its file.

    Any other SQLite error is a bug and is raised unchanged.
    """
    try:
        yield
    except UnicodeDecodeError as error:  # a message that quotes damaged bytes
        raise DamagedDatabase(str(error)) from None
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", -1) & 0xFF
        if code in _BUSY_CODES:
            raise CatalogBusy from None
        if code in _CORRUPT_CODES or str(error).startswith(_CORRUPT_MESSAGES):
            raise DamagedDatabase(str(error)) from None
        if code in _DISK_CODES:
            name = str(getattr(error, "sqlite_errorname", "")).lower()
            raise CatalogFailed(f"{error} ({name})") from None
        raise
