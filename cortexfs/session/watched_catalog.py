"""A catalog that is kept current by events: in this process, or by another one that is asked."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Protocol

from cortexfs.catalog.folder_digests import count_scanned_files
from cortexfs.core.atoms.tree_paths import CHANGES_SOCKET
from cortexfs.tree.mounts import read_mount_namespace
from cortexfs.tree.recognize_tree import identify_folder

if TYPE_CHECKING:
    from collections.abc import Collection

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.tree.scan_folders import TreeScan
    from cortexfs.tree.tree import Tree
    from cortexfs.tree.tree_watch import TreeWatch

CURRENT_REQUEST = "current"
"""The request to the daemon; the answer names the catalog that is current."""
MIN_ASKED_FILES = 2000
"""Number of files from which a daemon is asked: fewer are scanned as fast."""
MAX_NOTED_PATHS = 10_000
"""Maximum number of ingested paths that are kept for a caller, who may never ask."""
QUICK_FILES, QUICK_AGE_S, MAX_AGE_S = 50_000, 10.0, 400.0
"""Seconds after which events alone tell nothing: of a tree with that many files, and a larger one.

The few changes without an event are found by then. The daemon scans large trees more often.
"""
RETRY_S = 5.0
"""Seconds in which a daemon is not asked again after it gave no good answer."""


class _Refresh(Protocol):
    def __call__(self, paths: Collection[str], *, read_again: bool) -> list[str]: ...


class WatchedCatalog:
    """What one process knows by events; used by one thread at a time."""

    def __init__(self, watch: TreeWatch) -> None:
        self._watch = watch
        self._catalog: object = None
        """The identity of the catalog that has what the last scan found."""
        self._taken: set[str] = set()
        self._began = self._end = 0.0

    def begin(self, kinds: Kinds) -> None:
        """Begin to watch, just before the tree is scanned."""
        self._catalog, self._began = None, time.monotonic()
        self._watch.begin(kinds)

    def finish(self, catalog: object, scan: TreeScan) -> None:
        """Note that a catalog has all that the scan found."""
        self._watch.finish(scan.linked)
        self._catalog = catalog
        is_quick = sum(folder.files for folder in scan.folders.values()) <= QUICK_FILES
        self._end = self._began + (QUICK_AGE_S if is_quick else MAX_AGE_S)

    def catch_up(self, catalog: object, refresh: _Refresh, *, at_any_age: bool = False) -> bool:
        """Ingest what has changed up to now; return False if that is unknown.

        With `at_any_age` events are enough, however long ago the last scan was.
        """
        if (
            catalog != self._catalog
            or (self._has_ended() and not at_any_age)
            or (changed := self._watch.find_changed_paths()) is None
        ):
            return False
        if changed:
            self._note_changed(refresh(changed, read_again=True))
        if self._watch.linked:
            self._note_changed(refresh(self._watch.linked, read_again=False))
        self._watch.mark_ingested(changed)
        return True

    def take_changed_paths(self) -> set[str]:
        """Return what `catch_up` has ingested since the last call."""
        taken, self._taken = self._taken, set()
        return taken

    def _note_changed(self, paths: list[str]) -> None:
        if len(self._taken) < MAX_NOTED_PATHS:
            self._taken.update(paths)

    @property
    def is_lost(self) -> bool:
        """Whether only the next scan can tell what has changed."""
        return self._watch.is_lost or (self._watch.is_complete and self._has_ended())

    def _has_ended(self) -> bool:
        return time.monotonic() >= self._end

    def close(self) -> None:
        """Stop to watch."""
        self._catalog = None
        self._watch.close()


class DaemonQuestion:
    """Asks the daemon of a tree whether the catalog is current as of now."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._next_time = 0.0

    def is_current(self, catalog: Catalog) -> bool:
        """Return whether a daemon has ingested each change that was made before this call."""
        if time.monotonic() < self._next_time or not self._is_worthwhile(catalog):
            return False
        from cortexfs.session.daemon_socket import ask_socket  # noqa: PLC0415 - only a large tree asks

        answer = ask_socket(self._tree.root, CHANGES_SOCKET, CURRENT_REQUEST)
        if answer == format_current_answer(self._tree.root, catalog):
            return True
        self._next_time = time.monotonic() + RETRY_S
        return False

    def _is_worthwhile(self, catalog: Catalog) -> bool:
        path = os.path.join(self._tree.private_folder, CHANGES_SOCKET)
        return os.path.lexists(path) and count_scanned_files(catalog.db) >= MIN_ASKED_FILES


def format_current_answer(root: str, catalog: Catalog) -> str:
    """Return the answer "this catalog is current": its file, since when, its tree, and the mounts.

    A catalog that was emptied or replaced has another answer, and so has a process for which other
    file systems are mounted. A copy of a tree by hard links has the same catalog and socket.
    """
    identity = identify_folder(root)
    tree = f"{identity.device}.{identity.inode}" if identity else ""
    return f"{CURRENT_REQUEST} {catalog.describe_file()} {tree} {read_mount_namespace()}"
