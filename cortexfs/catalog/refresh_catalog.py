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
from cortexfs.catalog.read_counts import update_read_counts
from cortexfs.catalog.schema import CONTENTS_NUMBER, insert_rows, read_data_version
from cortexfs.catalog.stamp_and_read import (
    compute_source_checksum,
    stamp_and_read,
    stamp_settled,
)
from cortexfs.core.changes.compare_stamps import UNKNOWN_TIME, find_changed_files
from cortexfs.tree.list_and_stamp_files import SETTINGS_FILE, open_batch_stamper

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from sqlite3 import Connection

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.catalog.ingest_new_file import NewFiles, NewRows
    from cortexfs.core.atoms.atom import FileText, Flaw
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.changes.compare_stamps import FileStamp
    from cortexfs.tree.scan_folders import TreeScan
    from cortexfs.tree.tree import Tree

    ReadText = Callable[[str], FileText | Flaw]
    Progress = Callable[[int, int], None]

_ALL_STAMPS_SQL = "SELECT path, size, mtime_ns, ctime_ns FROM files"
_SOME_STAMPS_SQL = f"{_ALL_STAMPS_SQL} WHERE path IN (SELECT value FROM json_each(?))"  # noqa: S608
"""One parameter for any number of paths: SQLite limits the number of parameters."""
_COUNT_CHANGE_SQL = "INSERT INTO about VALUES (?, 1) ON CONFLICT DO UPDATE SET value = value + 1"
_FOLDER_STAMPS_SQL = f"{_ALL_STAMPS_SQL} WHERE path > ? AND path < ?"
MAX_FILES_AT_ONCE = 50_000
"""About the maximum number of files that are compared and ingested in one transaction."""
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
    progress: Progress | None = None,
    paths: Collection[str] | None = None,
    scan: TreeScan | None = None,
    *,
    read_again: bool = False,
) -> list[str]:
    """Update the catalog from some paths of the tree (None: all), and return the changed paths.

    A file with an unchanged stamp is not opened, unless `read_again`. `progress` is called with the
    number of changed files that were read, and their total. With `scan` the tree is not scanned.
    """
    if paths is not None:
        on_disk = tree.stamp_files(catalog.kinds, paths)
        read_known = partial(_read_known_stamps, catalog.db, paths, read_again=read_again)
        # a path that is gone may be in what another process has read, but not committed
        has_gone = read_again and len(on_disk) < len(paths)
        compared = _Comparison(on_disk, read_known, None)
        return _ingest_if_changed(catalog, tree, compared, progress, is_sure=has_gone)
    scan = scan or scan_tree(catalog, tree)
    changed, left = list[str](), scan.count_differing()
    for part in scan.split(MAX_FILES_AT_ONCE):
        left -= part.count_differing()
        read_known = partial(_read_folder_stamps, catalog.db, part.differing)
        compared = _Comparison(part.make_stamps(), read_known, part)
        shown = progress and partial(_show_progress, progress, len(changed), left)
        changed += _ingest_if_changed(catalog, tree, compared, shown)
    return changed


def _show_progress(progress: Progress, before: int, left: int, done: int, total: int) -> None:
    """Show the progress of one part of a scan; all files of the parts that are left may differ."""
    progress(before + done, before + total + left)


def _ingest_if_changed(
    catalog: Catalog,
    tree: Tree,
    compared: _Comparison,
    progress: Progress | None,
    *,
    is_sure: bool = False,
) -> list[str]:
    """Ingest the changes, if there are any or may be; else store the digests of the scan."""
    version, known = read_data_version(catalog.db), compared.read_known()
    if is_sure or compared.on_disk != known:
        return _ingest_changes(catalog, tree, compared, progress, (known, version))
    if compared.scan:
        try_to_store_digests(catalog, compared.scan, version)
    return []


def scan_tree(catalog: Catalog, tree: Tree) -> TreeScan:
    """Scan the tree, beside the digests that the catalog knows."""
    return tree.scan(catalog.kinds, read_folder_digests(catalog.db))


def _ingest_changes(
    catalog: Catalog,
    tree: Tree,
    compared: _Comparison,
    progress: Progress | None,
    before: tuple[Stamps, int],
) -> list[str]:
    """Ingest the changes in one transaction, and return their paths.

    Each file is stamped and read within it, so that what another process has ingested meanwhile
    is never replaced by an older state. `before` has known stamps and their version of the catalog.
    """
    from cortexfs.catalog.ingest_new_file import NewFiles  # noqa: PLC0415 - it imports the parser
    from cortexfs.tree.map_in_processes import map_in_processes  # noqa: PLC0415 - as above

    with (
        catalog.write_transaction() as db,
        tree.open_batch_reader() as read,
        open_batch_stamper(tree.root) as stamp,
        ExitStack() as ingesting,
    ):
        is_same = read_data_version(db) == before[1]
        known, kinds = before[0] if is_same else compared.read_known(), catalog.kinds
        changes = list(find_changed_files(compared.on_disk, known))
        stamp_now = partial(stamp_settled, tree, compared.on_disk, stamp)
        read_rows = partial(stamp_and_read, kinds, known, stamp_now, read)
        results = ingesting.enter_context(map_in_processes(read_rows, changes))
        ingestion = _Ingestion(db, kinds, read, compared, NewFiles(db, []), [], [])
        for done, (change, (settled, rows)) in enumerate(zip(changes, results, strict=True), 1):
            ingestion.store(change.path, settled, rows)
            if progress:
                progress(done, len(changes))
        ingestion.finish()
    return [change.path for change in changes]


class _Ingestion(NamedTuple):
    """One transaction that ingests files."""

    db: Connection
    kinds: Kinds
    read: ReadText
    compared: _Comparison
    new: NewFiles
    ingested: list[str]
    unsure: list[str]
    """Files that may differ from the scan."""

    def store(self, path: str, settled: FileStamp | None, rows: NewRows | None) -> None:
        """Store a file with its present stamp; `rows` are those of a new file."""
        if settled and rows:
            self.ingested.append(path)
            self.new.add(path, settled, rows)
        elif _ingest_file(self.db, self.kinds, path, settled, self.read):
            self.ingested.append(path)
        if not self.compared.scan or settled != self.compared.on_disk.get(path):
            self.unsure.append(path)

    def finish(self) -> None:
        """Insert the last new files, and update what depends on all of them."""
        from cortexfs.catalog.ingest_file import mark_stale  # noqa: PLC0415 - it imports the parser

        self.new.insert()
        mark_stale(self.db, self.kinds, self.ingested)
        update_read_counts(self.db, self.ingested)
        _update_folder_digests(self.db, self.compared.scan, self.unsure)
        if self.ingested:
            self.db.execute(_COUNT_CHANGE_SQL, (CONTENTS_NUMBER,))


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
    return {
        path: (size, mtime, ctime)
        for folder in folders
        for path, size, mtime, ctime in _query_folder(db, folder)
        if path.rpartition("/")[0] == folder
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
