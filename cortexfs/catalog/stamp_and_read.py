"""Stamp and read the files that have changed, within the transaction that ingests them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from cortexfs.core.changes.compare_stamps import DeletedFile

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

    from cortexfs.catalog.ingest_new_file import NewRows
    from cortexfs.core.atoms.atom import FileText, Flaw
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.changes.compare_stamps import DiskChange, FileStamp
    from cortexfs.tree.tree import Tree

    ReadText = Callable[[str], FileText | Flaw]


def stamp_and_read(
    kinds: Kinds,
    known: Container[str],
    stamp_now: Callable[[DiskChange], FileStamp | None],
    read: ReadText,
    change: DiskChange,
) -> tuple[FileStamp | None, NewRows | None]:
    """Return the present stamp of a file, and its rows if it is new."""
    from cortexfs.catalog.ingest_new_file import make_new_rows  # noqa: PLC0415 - it imports the parser

    settled = stamp_now(change)
    if settled is None or change.path in known:
        return settled, None
    source = read(change.path)
    digest = compute_source_checksum(source)
    return settled, make_new_rows(kinds, change.path, source, digest)


def stamp_settled(
    tree: Tree,
    on_disk: Mapping[str, FileStamp],
    stamp: Callable[[str], FileStamp | None],
    change: DiskChange,
) -> FileStamp | None:
    """Return the present stamp of a file, as far as it is settled; None if it is gone."""
    now_ns = time.time_ns()
    found = _stamp_again(tree, change, on_disk, stamp)
    return found and found.without_unsettled_times(now_ns)


def _stamp_again(
    tree: Tree,
    change: DiskChange,
    on_disk: Mapping[str, FileStamp],
    stamp: Callable[[str], FileStamp | None],
) -> FileStamp | None:
    """Return the present stamp of a file; None if it is gone."""
    path = change.path
    if "\\" in path:  # a name with escapes for invalid UTF-8, which is never opened
        return on_disk.get(path)
    found = stamp(path)
    if found and isinstance(change, DeletedFile):
        above, _, name = path.rpartition("/")  # the system may ignore case: then `a.md` is `A.md`
        return found if name in tree.list_names(above) else None
    return found


def compute_source_checksum(source: FileText | Flaw) -> bytes:
    """Return a 16-byte BLAKE2b checksum of what was read, to detect changes."""
    from hashlib import blake2b  # noqa: PLC0415 - it loads OpenSSL: only where a file changed

    text = getattr(source, "text", None) or repr(source)
    return blake2b(text.encode(errors="replace"), digest_size=16).digest()
