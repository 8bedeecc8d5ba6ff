"""Keep the catalog like the files: compare all stamps when that is needed, or learn by events."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.schema import read_data_version
from cortexfs.errors import CortexError
from cortexfs.session.catalog_updates import WAIT_S, hold_lock
from cortexfs.session.watched_catalog import (
    DaemonQuestion,
    WatchedCatalog,
    format_current_answer,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.session.catalog_updates import CatalogUpdates
    from cortexfs.tree.tree import Tree

NEVER_COMPARED = -1
ANSWER_WAIT_S = 0.05
"""Seconds to wait for a comparison that runs while another process asks."""
STOP_S = 1.0
"""Seconds to wait for a running comparison before the end."""


class LastComparison(NamedTuple):
    """The last comparison: of which catalog, and when it began, by the monotonic clock.

    Changes learned by events, up to a moment, are as good as a comparison that began then.
    """

    catalog: object
    began_ns: int

    def find_began_ns(self, catalog: object) -> int:
        """Return when the last comparison with a catalog began; `NEVER_COMPARED`: there is none."""
        return self.began_ns if self.catalog == catalog else NEVER_COMPARED


class CatalogComparisons:
    """The comparisons of one tree with its catalog; threads share them."""

    def __init__(
        self, tree: Tree, updates: CatalogUpdates, open_catalog: Callable[[], Catalog]
    ) -> None:
        self._tree, self._updates, self._open_catalog = tree, updates, open_catalog
        self._lock = threading.Lock()
        """Held while the tree is scanned; acquired before the lock of `updates`."""
        self._last = LastComparison(None, NEVER_COMPARED)
        self._watched: WatchedCatalog | None = None
        self._daemon = DaemonQuestion(tree)

    def hold(self) -> AbstractContextManager[None]:
        """Let nothing be compared meanwhile."""
        return hold_lock(self._lock, WAIT_S)

    def compare(self) -> list[str]:
        """Scan the tree, ingest the files that differ, and return the changed paths."""
        with self.hold():
            return self._compare_all()

    def compare_if_needed(self, requested_ns: int, max_age_ns: int) -> None:
        """Compare all stamps, unless the last comparison is recent enough.

        Threads share the work: a thread reads no stamps if another began a comparison after the
        thread's request.
        """
        identity = self._open_catalog().identity
        # who may read an older state does not wait for a scan
        if self._is_current(identity, 0.0 if max_age_ns else WAIT_S):
            return
        began_ns = self._last.find_began_ns(identity)
        if began_ns >= 0 and began_ns >= requested_ns - max_age_ns:
            if began_ns < requested_ns - max_age_ns // 2:
                self._compare_in_background()
            return
        with self.hold():
            if self._last.find_began_ns(identity) < max(requested_ns, 0):
                self._compare_all()

    def catch_up_by_events(self) -> bool:
        """Ingest changes by events, without a scan; return False if events do not tell them.

        While another thread compares, the catalog is as before.
        """
        catalog = self._open_catalog().identity
        if (watched := self._watched) is None or not self._lock.acquire(blocking=False):
            return watched is not None and self._last.find_began_ns(catalog) >= 0
        try:
            return watched.catch_up(catalog, self._updates.refresh, at_any_age=True)
        finally:
            self._lock.release()

    @contextmanager
    def watch_events(self) -> Iterator[None]:
        """Learn what has changed by events, where the system has them, from the next scan on."""
        from cortexfs.tree.tree_watch import TreeWatch  # noqa: PLC0415 - only what runs for long

        self._watched = WatchedCatalog(TreeWatch(self._tree.root))
        try:
            yield
        finally:
            self.stop_watching()

    def stop_watching(self) -> None:
        """Learn of changes by scans again."""
        watched, self._watched = self._watched, None
        # what a thread that hangs reads from stays open
        if watched and self._lock.acquire(timeout=STOP_S):
            try:
                watched.close()
            finally:
                self._lock.release()

    def describe_current_catalog(self) -> str:
        """Return which catalog has each change up to now, by events; empty if that is unknown."""
        catalog = self._open_catalog()
        is_current = self._watched and self._is_current(catalog.identity, ANSWER_WAIT_S)
        return format_current_answer(self._tree.root, self._open_catalog()) if is_current else ""

    def refresh_by_events(self) -> set[str] | None:
        """Ingest changes by events; return the changed paths since the last call.

        Return None if only a scan can tell what has changed.
        """
        if (watched := self._watched) is None:
            return set()
        self._is_current(self._open_catalog().identity, WAIT_S)
        return None if watched.is_lost else watched.take_changed_paths()

    def _is_current(self, identity: object, timeout_s: float) -> bool:
        """Return whether events, ours or those of another process, make the catalog current."""
        if (watched := self._watched) is None:
            return self._daemon.is_current(self._open_catalog())
        if not self._lock.acquire(timeout=timeout_s):
            return False
        try:
            began_ns = time.monotonic_ns()
            caught_up = watched.catch_up(identity, self._updates.refresh)
            is_current = caught_up and self._open_catalog().identity == identity
            if is_current:
                self._last = LastComparison(identity, began_ns)
            return is_current
        finally:
            self._lock.release()

    def _compare_in_background(self) -> None:
        """Compare in a separate thread, unless one runs; the next comparison reports an error."""

        def compare() -> None:
            try:
                with suppress(CortexError, OSError):
                    self._compare_all()
            finally:
                self._lock.release()

        if self._lock.acquire(blocking=False):
            threading.Thread(target=compare, name="cortexfs-compare", daemon=True).start()

    def _compare_all(self) -> list[str]:
        """Compare while the lock is held."""
        began_ns, catalog = time.monotonic_ns(), self._open_catalog()
        identity, version = catalog.identity, read_data_version(catalog.db)
        if watched := self._watched:
            watched.begin(catalog.kinds)
        scan, changed = self._updates.scan(), list[str]()
        if scan is None or scan.differing:
            changed = self._updates.refresh(None, scan)
        if self._open_catalog().identity == identity:
            self._last = LastComparison(identity, began_ns)
            if scan and watched and self._updates.has_no_other_writer(catalog, version):
                watched.finish(identity, scan)
        return changed
