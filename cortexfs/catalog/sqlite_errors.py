"""Tell SQLite's errors apart by their code: only a corrupt file is worth building anew."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cortexfs.errors import CatalogBusy, CatalogFailed

if TYPE_CHECKING:
    from collections.abc import Iterator

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_CORRUPT_SAYS = ("Could not decode to UTF-8", "invalid fts5 file format")
"""Of these two the code says nothing."""
_REFUSED = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_NOMEM,
}


class DamagedDatabase(Exception):
    """The catalog's file is corrupt, or no catalog of ours."""


@contextmanager
def translate_sqlite_errors() -> Iterator[None]:
    """Raise `CatalogBusy`, `Damaged` or `CatalogFailed` for what SQLite says of its file.

    Any other error of SQLite's is a bug of ours and passes.
    """
    try:
        yield
    except UnicodeDecodeError as error:  # a message that quotes damaged bytes
        raise DamagedDatabase(str(error)) from None
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", -1) & 0xFF
        if code in _BUSY:
            raise CatalogBusy from None
        if code in _CORRUPT or str(error).startswith(_CORRUPT_SAYS):
            raise DamagedDatabase(str(error)) from None
        if code in _REFUSED:
            name = str(getattr(error, "sqlite_errorname", "")).lower()
            raise CatalogFailed(f"{error} ({name})") from None
        raise
