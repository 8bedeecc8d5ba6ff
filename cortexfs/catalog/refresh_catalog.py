"""Update the catalog from the files of the tree that have changed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from cortexfs.catalog.schema import insert_rows, read_data_version
from cortexfs.core.changes.compare_stamps import DeletedFile, StampedFiles, find_changed_files

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from sqlite3 import Connection

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.atoms.atom import Flaw
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.changes.compare_stamps import DiskChange
    from cortexfs.core.changes.plan import FileText
    from cortexfs.tree.tree import Tree

    ReadText = Callable[[str], FileText | Flaw]

_ALL_STAMPS_SQL = "SELECT path, size, mtime_ns, ctime_ns FROM files"
_SOME_STAMPS_SQL = f"{_ALL_STAMPS_SQL} WHERE path IN (SELECT value FROM json_each(?))"  # noqa: S608
"""One parameter for any number of paths: SQLite limits the number of parameters."""


def refresh_catalog(
    catalog: Catalog,
    tree: Tree,
    progress: Callable[[int, int], None] | None = None,
    paths: Collection[str] | None = None,
    stamped: StampedFiles | None = None,
) -> list[DiskChange]:
    """Update the catalog from some paths of the tree (None: all), and return the changes.

    A file with an unchanged stamp is not opened. `progress` is called with the number of
    changed files that were read, and their total. With `stamped` no stamp is read.
    """
    started, on_disk = stamped or StampedFiles(
        time.time_ns(), tree.stamp_files(catalog.kinds, paths)
    )
    if stamped and paths is not None:
        on_disk = {path: on_disk[path] for path in paths if path in on_disk}
    version, known = read_data_version(catalog.db), _read_known_stamps(catalog.db, paths)
    if on_disk == known:
        return []
    from cortexfs.catalog.ingest_file import mark_stale  # noqa: PLC0415 - it imports the parser

    with catalog.write_transaction() as db, tree.open_batch_reader() as read:
        if read_data_version(db) != version:  # another connection has written meanwhile
            known = _read_known_stamps(db, paths)
        changes, changed_paths = list(find_changed_files(on_disk, known)), list[str]()
        for done, change in enumerate(changes, start=1):
            if _ingest_change(db, change, catalog.kinds, read, StampedFiles(started, on_disk)):
                changed_paths.append(change.path)
            if progress:
                progress(done, len(changes))
        mark_stale(db, catalog.kinds, changed_paths)
    return changes


def compute_source_checksum(source: FileText | Flaw) -> bytes:
    """Return a 16-byte BLAKE2b checksum of what was read, to detect changes."""
    from hashlib import blake2b  # noqa: PLC0415 - it loads OpenSSL: only where a file changed

    text = getattr(source, "text", None) or repr(source)
    return blake2b(text.encode(errors="replace"), digest_size=16).digest()


def _read_known_stamps(
    db: Connection, paths: Collection[str] | None
) -> Mapping[str, tuple[int, int, int]]:
    """Return the known stamps as plain tuples, which compare equal to stamps."""
    if paths is None:
        rows = db.execute(_ALL_STAMPS_SQL)
    else:
        import json  # noqa: PLC0415 - most commands compare all

        rows = db.execute(_SOME_STAMPS_SQL, (json.dumps(list(paths)),))
    return {path: (size, mtime, ctime) for path, size, mtime, ctime in rows}


def _ingest_change(
    db: Connection, change: DiskChange, kinds: Kinds, read: ReadText, stamped: StampedFiles
) -> bool:
    """Update the rows of one changed or deleted file; return whether its content changed."""
    from cortexfs.catalog.ingest_file import forget_file, ingest_file  # noqa: PLC0415 - as above

    path = change.path
    if isinstance(change, DeletedFile):
        forget_file(db, path)
        db.execute("DELETE FROM files WHERE path = ?", (path,))
        return True
    source = read(path)
    digest = compute_source_checksum(source)
    known = db.execute("SELECT digest FROM files WHERE path = ?", (path,)).fetchone()
    if differs := known is None or known[0] != digest:
        if known:
            forget_file(db, path)
        ingest_file(db, kinds, path, source)
    insert_rows(
        db, "files", [(path, *stamped.stamps[path].without_unsettled_times(stamped.at_ns), digest)]
    )
    return differs
