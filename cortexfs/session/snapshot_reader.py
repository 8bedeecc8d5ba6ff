"""Read a tree from any thread: refresh the catalog, and take snapshots of it."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING

from cortexfs.catalog import index_plans
from cortexfs.catalog.schema import read_data_version
from cortexfs.catalog.sqlite_errors import DamagedDatabase, translate_sqlite_errors
from cortexfs.core.changes.compare_stamps import NS_PER_SECOND
from cortexfs.errors import CatalogBusy, CatalogDamaged, CortexError, TreeMoved
from cortexfs.session.catalog_connections import CatalogConnections
from cortexfs.session.catalog_updates import WAIT_S, CatalogUpdates, hold_lock
from cortexfs.session.last_comparison import NEVER_COMPARED, LastComparison
from cortexfs.session.tree_repository import TreeRepository, share_repository
from cortexfs.session.view import NeededContents, View
from cortexfs.session.watched_catalog import (
    DaemonQuestion,
    WatchedCatalog,
    format_current_answer,
)
from cortexfs.tree.recognize_tree import identify_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.catalog.embeddings.embedding_model import EmbeddingModel
    from cortexfs.core.changes.plan import IndexPlan
    from cortexfs.core.settings.settings import Settings
    from cortexfs.tree.tree import Tree

    Progress = Callable[[int, int], None]

ANSWER_WAIT_S = 0.05
"""Seconds to wait for a comparison that runs while another process asks."""
MAX_REPLACED = 10
"""Number of times that another process may replace the catalog during one read."""
STOP_S = 1.0
"""Seconds to wait for a running comparison before the end."""


class TreeReader:
    """The current catalog of one tree, for any number of threads."""

    def __init__(self, tree: Tree, clock: Callable[[], datetime], max_age_s: float = 0.0) -> None:
        self.tree = tree
        self.clock = clock
        self.max_age_s = max_age_s
        """Maximum age of a comparison that a read may use; 0: each read sees every edit."""
        self.model: EmbeddingModel | None = None
        """The embedding model, if it is not the installed one."""
        self.last_change = object()
        """Another object after each change that a session with this reader has made."""
        self.wait_s = WAIT_S
        self.is_watched = False
        """Whether another component calls `refresh` with changed paths: no stamps are read then."""
        self.has_changed = False
        """Whether this process has changed the tree."""
        self.connections = CatalogConnections(tree)
        self._root_identity = identify_folder(tree.root)
        self.updates = CatalogUpdates(tree, lambda: self.catalog)
        self._comparison_lock = threading.Lock()
        """Held while the tree is scanned; acquired before the lock of `updates`."""
        self._last_comparison = LastComparison(None, NEVER_COMPARED)
        self._watched: WatchedCatalog | None = None
        self._daemon = DaemonQuestion(tree)

    @property
    def progress(self) -> Progress | None:
        """What shows how many changed files were read; None shows nothing."""
        return self.updates.progress

    @progress.setter
    def progress(self, progress: Progress | None) -> None:
        self.updates.progress = progress

    @property
    def settings(self) -> Settings:
        """The current settings in `cortexfs.yaml`."""
        return self.connections.settings

    @property
    def catalog(self) -> Catalog:
        """This thread's connection to the catalog."""
        self.require_same_root()
        return self.connections.catalog

    def require_same_root(self) -> None:
        """Raise `TreeMoved` if the root is not the folder any more that was opened.

        Where a server's tree was, somebody may put a link, and no write may go through it.
        """
        if self._root_identity not in {None, identify_folder(self.tree.root)}:
            raise TreeMoved(self.tree.root)

    @property
    def may_read_old_state(self) -> bool:
        """Whether a read may show a file as it was before a change; a writer must refresh first."""
        return self.is_watched or self.max_age_s > 0

    def read(
        self,
        ingest: NeededContents = NeededContents.ATOMS,
        *,
        max_age_s: float | None = None,
        repository: TreeRepository | None = None,
    ) -> AbstractContextManager[View]:
        """Refresh the catalog, and return one snapshot of it.

        `max_age_s` overrides that of the reader: planning a change needs the current state.
        A change passes the `repository` in which it is committed.
        """
        age_s = self.max_age_s if max_age_s is None else max_age_s
        catalog = self._open_current_catalog(ingest, int(age_s * NS_PER_SECOND))
        return self._snapshot(catalog, repository)

    def view_without_refresh(
        self, repository: TreeRepository | None = None
    ) -> AbstractContextManager[View]:
        """Return one snapshot of the catalog, without a refresh."""
        return self._snapshot(self.catalog, repository)

    @contextmanager
    def _snapshot(self, catalog: Catalog, known: TreeRepository | None) -> Iterator[View]:
        found = nullcontext(known) if known else share_repository(self.tree.root)
        try:
            with translate_sqlite_errors(), found as repository, catalog.snapshot():
                yield View(self.tree, self.settings, catalog, repository, self.clock, self.model)
        except DamagedDatabase as damaged:
            self.discard_catalog()
            raise CatalogDamaged(str(damaged)) from None

    def refresh(self, paths: Collection[str] | None = None) -> list[str]:
        """Update the catalog from the tree, or from some paths; return the changed paths.

        A damaged catalog is rebuilt. Raises `CatalogFailed` if that fails too.
        """
        if paths is None:
            with hold_lock(self._comparison_lock, self.wait_s):
                return self._compare_all()
        return self.updates.refresh(paths)

    def ingest_texts(self) -> None:
        """Ingest the changed texts into the catalog."""
        self.updates.ingest(NeededContents.TEXTS)

    def mark_indexes_current(self, planned: Sequence[IndexPlan]) -> None:
        """Record in the catalog that these indexes are current."""
        with self.updates.hold(), translate_sqlite_errors():
            index_plans.record_current_indexes(self.tree, self.catalog, planned, self.clock())

    def store_value(self, key: str, value: str) -> None:
        """Store a text under a key in the catalog."""
        with self.updates.hold(), translate_sqlite_errors():
            self.catalog.set_value(key, value)

    def discard_catalog(self) -> None:
        """Discard the catalog as damaged; the next request rebuilds it."""
        self.catalog.quarantine()

    def close(self) -> None:
        """Close every thread's connection, and stop to watch."""
        self.stop_watching()
        with hold_lock(
            self._comparison_lock, self.wait_s
        ):  # a running comparison could open another
            self.connections.close()

    def start_watching(self) -> None:
        """Learn of changes by events from the next comparison on, where the system has them."""
        from cortexfs.tree.tree_watch import TreeWatch  # noqa: PLC0415 - only what runs for long

        self._watched = WatchedCatalog(TreeWatch(self.tree.root))

    def stop_watching(self) -> None:
        """Learn of changes by scans again."""
        watched, self._watched = self._watched, None
        # what a thread that hangs reads from stays open
        if watched and self._comparison_lock.acquire(timeout=STOP_S):
            try:
                watched.close()
            finally:
                self._comparison_lock.release()

    def describe_current_catalog(self) -> str:
        """Return which catalog has each change up to now, by events; empty if that is unknown."""
        self.require_same_root()
        is_current = self._watched and self._is_current(self.catalog.identity, ANSWER_WAIT_S)
        return format_current_answer(self.tree.root, self.catalog) if is_current else ""

    def refresh_by_events(self) -> set[str] | None:
        """Ingest changes by events; return the changed paths since the last call.

        Return None if only a scan can tell what has changed.
        """
        if (watched := self._watched) is None:
            return set()
        self._is_current(self.catalog.identity, self.wait_s)
        return None if watched.is_lost else watched.take_changed_paths()

    def _open_current_catalog(self, ingest: NeededContents, max_age_ns: int) -> Catalog:
        """Return this thread's catalog, refreshed and with the texts ingested.

        One that another process has replaced meanwhile is empty: it is refreshed in turn.
        """
        for _ in range(MAX_REPLACED):
            identity = self.catalog.identity
            self._compare_if_needed(time.monotonic_ns(), max_age_ns)
            if ingest is not NeededContents.ATOMS:
                self.updates.ingest(ingest)
            if (catalog := self.catalog).identity == identity:
                return catalog
        raise CatalogBusy

    def _compare_if_needed(self, requested_ns: int, max_age_ns: int) -> None:
        """Compare all stamps, unless the last comparison is recent enough.

        Threads share the work: a thread reads no stamps if another began a comparison after the
        thread's request.
        """
        identity = self.catalog.identity
        # who may read an older state does not wait for a scan
        if self._is_current(identity, 0.0 if max_age_ns else self.wait_s):
            return
        began_ns = self._last_comparison.find_began_ns(identity)
        if began_ns >= 0 and (self.is_watched or began_ns >= requested_ns - max_age_ns):
            if not self.is_watched and began_ns < requested_ns - max_age_ns // 2:
                self._compare_in_background()
            return
        with hold_lock(self._comparison_lock, self.wait_s):
            if self._last_comparison.find_began_ns(identity) < max(requested_ns, 0):
                self._compare_all()

    def _is_current(self, identity: object, timeout_s: float) -> bool:
        """Return whether events, ours or those of another process, make the catalog current."""
        if (watched := self._watched) is None:
            return not self.is_watched and self._daemon.is_current(self.catalog)
        if not self._comparison_lock.acquire(timeout=timeout_s):
            return False
        try:
            caught_up = watched.catch_up(identity, self.updates.refresh)
            return caught_up and self.catalog.identity == identity
        finally:
            self._comparison_lock.release()

    def _compare_in_background(self) -> None:
        """Compare in a separate thread, unless one runs; the next comparison reports an error."""

        def compare() -> None:
            try:
                with suppress(CortexError, OSError):
                    self._compare_all()
            finally:
                self._comparison_lock.release()

        if self._comparison_lock.acquire(blocking=False):
            threading.Thread(target=compare, name="cortexfs-compare", daemon=True).start()

    def _compare_all(self) -> list[str]:
        """Scan the tree, ingest the files that differ, and return the changed paths."""
        began_ns, catalog = time.monotonic_ns(), self.catalog
        identity, version = catalog.identity, read_data_version(catalog.db)
        if watched := self._watched:
            watched.begin(catalog.kinds)
        scan, changed = self.updates.scan(), list[str]()
        if scan is None or scan.differing:
            changed = self.updates.refresh(None, scan)
        if self.catalog.identity == identity:
            self._last_comparison = LastComparison(identity, began_ns)
            if scan and watched and self.updates.has_no_other_writer(catalog, version):
                watched.finish(identity, scan)
        return changed
