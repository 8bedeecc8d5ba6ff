"""The digests of folders in the catalog: which files the rows of `files` describe.

A digest is stored only if the rows of a folder equal what is on the disk, and no stamp is
unsettled. Whoever writes a row of `files` makes the digest of its folder unknown in the same
transaction. Each folder with files has a row.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from cortexfs.catalog.schema import insert_rows, read_data_version
from cortexfs.catalog.sqlite_errors import translate_sqlite_errors
from cortexfs.errors import CatalogBusy, CatalogFailed
from cortexfs.tree.scan_folders import UNKNOWN_DIGEST, FolderDigest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from sqlite3 import Connection

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.tree.scan_folders import TreeScan

_NO_WAIT, _WAIT = "PRAGMA busy_timeout = 0", "PRAGMA busy_timeout = 30000"


def read_folder_digests(db: Connection) -> dict[str, FolderDigest]:
    """Return the digests by folder."""
    rows = db.execute("SELECT folder, digest, files FROM folders")
    return {folder: FolderDigest(digest, files) for folder, digest, files in rows}


def count_scanned_files(db: Connection) -> int:
    """Return about how many files the tree has, without counting them."""
    (count,) = db.execute("SELECT ifnull(sum(files), 0) FROM folders").fetchone()
    return int(count)


def forget_folder_digests(db: Connection, paths: Iterable[str]) -> None:
    """Make the digests of the folders of some files unknown."""
    folders = {path.rpartition("/")[0] for path in paths}
    rows = ((folder, UNKNOWN_DIGEST, 0) for folder in sorted(folders))
    insert_rows(db, "folders", rows, "ON CONFLICT DO UPDATE SET digest = excluded.digest")


def write_folder_digests(db: Connection, scan: TreeScan, but: Iterable[str] = ()) -> None:
    """Store the digests of folders whose rows equal a scan; `but` are folders of which they do not.

    A folder that has no file any more loses its row.
    """
    left_out = set(but)
    gone = scan.differing - scan.folders.keys() - left_out
    db.executemany("DELETE FROM folders WHERE folder = ?", ((folder,) for folder in sorted(gone)))
    kept = sorted((scan.differing & scan.folders.keys()) - left_out)
    insert_rows(db, "folders", ((folder, *scan.folders[folder]) for folder in kept))


def try_to_store_digests(catalog: Catalog, scan: TreeScan, version: int) -> None:
    """Store the digests of a scan that found no change, unless another process writes.

    `version` is that of the catalog when its rows were compared.
    """
    with suppress(CatalogBusy, CatalogFailed), _write_without_wait(catalog) as db:
        if read_data_version(db) == version:
            write_folder_digests(db, scan)


def has_no_other_writer(catalog: Catalog, version: int) -> bool:
    """Return whether no other connection has written since a version, or writes now.

    What another process is about to commit may be older than a scan that has not seen it.
    """
    with suppress(CatalogBusy, CatalogFailed), _write_without_wait(catalog) as db:
        return read_data_version(db) == version
    return False


@contextmanager
def _write_without_wait(catalog: Catalog) -> Iterator[Connection]:
    """Hold a write transaction; raise `CatalogBusy` if another has one: a read waits for nobody."""
    with translate_sqlite_errors():
        catalog.db.execute(_NO_WAIT)
        try:
            with catalog.write_transaction() as db:
                yield db
        finally:
            catalog.db.execute(_WAIT)
