"""One digest of all files of the catalog, kept until the catalog changes."""

from __future__ import annotations

import os
from hashlib import blake2b
from typing import TYPE_CHECKING

from cortexfs.catalog.schema import read_data_version

if TYPE_CHECKING:
    from sqlite3 import Connection

    from cortexfs.catalog.catalog import Catalog


def digest_files(catalog: Catalog) -> str:
    """Return a text that is another one if any file has another path or content."""
    state = (catalog.identity, read_data_version(catalog.db), catalog.db.total_changes)
    if not (kept := catalog.files_digest) or kept[0] != state:
        kept = (state, _digest_rows(catalog.db))
        catalog.files_digest = kept
    return kept[1]


def _digest_rows(db: Connection) -> str:
    total = blake2b(digest_size=8)
    for path, size, digest in db.execute("SELECT path, size, digest FROM files ORDER BY path"):
        total.update(b"%b\0%d %b\0" % (os.fsencode(path), size, digest or b""))
    return total.hexdigest()
