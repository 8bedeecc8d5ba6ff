"""A text that tells whether any file of the catalog has changed."""

from __future__ import annotations

import os
from hashlib import blake2b
from typing import TYPE_CHECKING

from cortexfs.catalog.catalog_files import IN_MEMORY
from cortexfs.catalog.schema import CONTENTS_NUMBER

if TYPE_CHECKING:
    from sqlite3 import Connection

    from cortexfs.catalog.catalog import Catalog


def describe_contents(catalog: Catalog) -> str:
    """Return a text that is another one after a file got another path or content.

    All connections to a file say the same. Each catalog in memory has its own number of changes,
    so that only their rows tell.
    """
    if catalog.path == IN_MEMORY:
        return _digest_rows(catalog.db)
    return f"{catalog.get_value('empty before')[:8]}.{catalog.get_value(CONTENTS_NUMBER) or 0}"


def _digest_rows(db: Connection) -> str:
    total = blake2b(digest_size=8)
    for path, size, digest in db.execute("SELECT path, size, digest FROM files ORDER BY path"):
        total.update(b"%b\0%d %b\0" % (os.fsencode(path), size, digest or b""))
    return total.hexdigest()
