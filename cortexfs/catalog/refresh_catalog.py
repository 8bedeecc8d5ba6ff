"""Update the catalog from the files of the tree that have changed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.folder_digests import (
    forget_folder_digests,
    read_folder_digests,
    try_to_store_digests,
    write_folder_digests,
)
from cortexfs.catalog.schema import insert_rows, read_data_version
from cortexfs.catalog.stamp_and_read import (
    compute_source_checksum,
    stamp_and_read,
    stamp_settled,
)
from cortexfs.core.changes.compare_stamps import UNKNOWN_TIME, find_changed_files
from cortexfs.tree.list_and_stamp_files import SETTINGS_FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from sqlite3 import Connection

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.atoms.atom import Flaw
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.changes.compare_stamps import DiskChange, FileStamp
    from cortexfs.core.changes.plan import FileText
    from cortexfs.tree.scan_folders import TreeScan
    from cortexfs.tree.tree import Tree

    ReadText = Callable[[str], FileText | Flaw]

_ALL_STAMPS_SQL = "SELECT path, size, mtime_ns, ctime_ns FROM files"
_SOME_STAMPS_SQL = f"{_ALL_STAMPS_SQL} WHERE path IN (SELECT value FROM json_each(?))"  # noqa: S608
"""One parameter for any number of paths: SQLite limits the number of parameters."""
_FOLDER_STAMPS_SQL = f"{_ALL_STAMPS_SQL} WHERE path > ? AND path < ?"
MAX_SINGLE_FOLDERS = 200
"""Maximum number of folders whose rows are read one by one; for more, all rows are read."""
_NEVER = (UNKNOWN_TIME, UNKNOWN_TIME, UNKNOWN_TIME)
"""A stamp that no file has."""

Stamps = Mapping[str, tuple[int, int, int]]


class _Comparison(NamedTuple):
    """The stamps on disk, what reads the known ones, and the scan (None: of single paths)."""

    on_disk: Mapping[str, FileStamp]
    read_known: Callable[[], Stamps]
    scan: TreeScan | None


def refresh_catalog(
    catalog: Catalog,
    tree: Tree,
    progress: Callable[[int, int], None] | None = None,
    paths: Collection[str] | None = None,
    scan: TreeScan | None = None,
    *,
    read_again: bool = False,
) -> list[DiskChange]:
    """Update the catalog from some paths of the tree (None: all), and return the changes.

    A file with an unchanged stamp is not opened, unless `read_again`. `progress` is called with the
    number of changed files that were read, and their total. With `scan` the tree is not scanned.
    """
    version = read_data_version(catalog.db)
    if paths is None:
        scan = scan or scan_tree(catalog, tree)
        if not scan.differing:
            return []
        on_disk, differing = scan.stamps, scan.differing
        read_known = partial(_read_folder_stamps, catalog.db, differing)
    else:
        scan, on_disk = None, tree.stamp_files(catalog.kinds, paths)
        read_known = partial(_read_known_stamps, catalog.db, paths, read_again=read_again)
    known = read_known()
    # a path that is gone may be in what another process has read, but not committed
    has_gone = read_again and len(on_disk) < len(paths or ())
    if on_disk != known or has_gone:
        return _ingest_changes(catalog, tree, _Comparison(on_disk, read_known, scan), progress)
    if scan:
        try_to_store_digests(catalog, scan, version)
    return []


def scan_tree(catalog: Catalog, tree: Tree) -> TreeScan:
    """Scan the tree, beside the digests that the catalog knows."""
    return tree.scan(catalog.kinds, read_folder_digests(catalog.db))


def _ingest_changes(
    catalog: Catalog,
    tree: Tree,
    compared: _Comparison,
    progress: Callable[[int, int], None] | None,
) -> list[DiskChange]:
    """Ingest the changes in one transaction, and return them.

    Each file is stamped and read within it, so that what another process has ingested meanwhile
    is never replaced by an older state, whenever the tree was scanned.
    """
    from cortexfs.catalog.ingest_file import mark_stale  # noqa: PLC0415 - it imports the parser
    from cortexfs.catalog.ingest_new_file import NewFiles  # noqa: PLC0415 - as above
    from cortexfs.tree.map_in_processes import map_in_processes  # noqa: PLC0415 - as above

    ingested, unsure = list[str](), list[str]()
    on_disk, read_known, scan = compared
    with (
        catalog.write_transaction() as db,
        tree.open_batch_reader() as read,
        tree.open_batch_stamper() as stamp,
        ExitStack() as ingesting,
    ):
        known, new = read_known(), NewFiles(db, [])
        changes = list(find_changed_files(on_disk, known))
        stamp_now = partial(stamp_settled, tree, on_disk, stamp)
        read_rows = partial(stamp_and_read, catalog.kinds, known, stamp_now, read)
        results = ingesting.enter_context(map_in_processes(read_rows, changes))
        for done, (change, (settled, rows)) in enumerate(zip(changes, results, strict=True), 1):
            path = change.path
            if settled and rows:
                ingested.append(path)
                new.add(path, settled, rows)
            elif _ingest_file(db, catalog.kinds, path, settled, read):
                ingested.append(path)
            if not scan or settled != scan.stamps.get(path):
                unsure.append(path)
            if progress:
                progress(done, len(changes))
        new.insert()
        mark_stale(db, catalog.kinds, ingested)
        _update_folder_digests(db, scan, unsure)
    return changes


def _update_folder_digests(db: Connection, scan: TreeScan | None, unsure: Collection[str]) -> None:
    """Write the digests of a scan, but for the folders of files that may differ from it."""
    if scan:
        write_folder_digests(db, scan, but={path.rpartition("/")[0] for path in unsure})
    forget_folder_digests(db, unsure)


def _read_known_stamps(db: Connection, paths: Collection[str], *, read_again: bool) -> Stamps:
    """Return the known stamps as plain tuples, which compare equal to stamps.

    With `read_again` they differ from each stamp.
    """
    import json  # noqa: PLC0415 - most commands compare all

    rows = db.execute(_SOME_STAMPS_SQL, (json.dumps(list(paths)),))
    known = {path: (size, mtime, ctime) for path, size, mtime, ctime in rows}
    return dict.fromkeys(known, _NEVER) if read_again else known


def _read_folder_stamps(db: Connection, folders: Collection[str]) -> Stamps:
    """Return the known stamps of the files of some folders."""
    if len(folders) > MAX_SINGLE_FOLDERS:
        rows: Iterable[tuple[str, int, int, int]] = db.execute(_ALL_STAMPS_SQL)
    else:
        rows = (row for folder in folders for row in _query_folder(db, folder))
    return {
        path: (size, mtime, ctime)
        for path, size, mtime, ctime in rows
        if path.rpartition("/")[0] in folders
    }


def _query_folder(db: Connection, folder: str) -> Iterable[tuple[str, int, int, int]]:
    """Return the rows of a folder, and of folders in it."""
    if not folder:
        return db.execute(f"{_ALL_STAMPS_SQL} WHERE path = ?", (SETTINGS_FILE,))
    after_slash = chr(ord("/") + 1)
    return db.execute(_FOLDER_STAMPS_SQL, (f"{folder}/", f"{folder}{after_slash}"))


def _ingest_file(
    db: Connection, kinds: Kinds, path: str, stamp: FileStamp | None, read: ReadText
) -> bool:
    """Update the rows of one file, of which None is the stamp if it is gone.

    Return whether its content is new.
    """
    from cortexfs.catalog.ingest_file import forget_file, ingest_file  # noqa: PLC0415 - as above

    known = db.execute("SELECT digest FROM files WHERE path = ?", (path,)).fetchone()
    if stamp is None:
        forget_file(db, path)
        db.execute("DELETE FROM files WHERE path = ?", (path,))
        return known is not None
    source = read(path)
    digest = compute_source_checksum(source)
    if differs := known is None or known[0] != digest:
        if known:
            forget_file(db, path)
        ingest_file(db, kinds, path, source)
    insert_rows(db, "files", [(path, *stamp, digest)])
    return differs
