"""Read a tree from any thread: settings, catalog connections, snapshots."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakSet

from cortexfs.catalog import index_plans
from cortexfs.catalog.catalog import Catalog
from cortexfs.catalog.refresh_catalog import refresh_catalog
from cortexfs.catalog.sqlite_errors import DamagedDatabase, translate_sqlite_errors
from cortexfs.core.changes.disk_changes import Stamped
from cortexfs.errors import CatalogBusy, CatalogDamaged, CatalogFailed, CortexError
from cortexfs.session.known_stamps import KnownStamps
from cortexfs.session.tree_repository import TreeRepository
from cortexfs.session.view import IngestContents, View

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from datetime import datetime

    from cortexfs.catalog.embeddings.embedding_model import EmbeddingModel
    from cortexfs.core.changes.plan import IndexPlan, Plan
    from cortexfs.core.settings.settings import Settings
    from cortexfs.tree.tree import Tree

    Progress = Callable[[int, int], None]

NS_PER_S = 1_000_000_000
DEFAULT_WAIT_S = 30.0
"""Seconds to wait for another thread's or process's work on catalog or tree."""


@dataclass(slots=True, eq=False)
class TreeReader:
    """The catalog of one tree, with a connection for each thread."""

    tree: Tree
    clock: Callable[[], datetime]
    progress: Progress | None = None
    model: EmbeddingModel | None = None
    wait_s: float = DEFAULT_WAIT_S
    is_watched: bool = False
    """Whether another component calls `refresh` with changed paths: then no stamps are read."""
    _threads: threading.local = field(default_factory=threading.local)
    _catalogs: WeakSet[Catalog] = field(default_factory=WeakSet)
    _catalog_lock: threading.Lock = field(default_factory=threading.Lock)
    max_age_s: float = 0.0
    """Maximum age in seconds of a comparison that a read may use; 0: each read sees every edit."""
    _comparison_lock: threading.Lock = field(default_factory=threading.Lock)
    """Held while all stamps are read; acquired before `_catalog_lock`."""
    _known_stamps: KnownStamps = field(default_factory=KnownStamps)
    _settings: tuple[object, Settings] | None = None

    @property
    def settings(self) -> Settings:
        """The current settings in `cortexfs.yaml`."""
        stamp, now = self.tree.stamp_settings(), time.time_ns()
        if self._settings is None or self._settings[0] != stamp:
            self._settings = (
                stamp and stamp.without_unsettled_times(now),
                self.tree.read_settings(),
            )
        return self._settings[1]

    @property
    def catalog(self) -> Catalog:
        """This thread's connection to the catalog; reopened if the file was replaced."""
        kinds = self.settings.kinds
        known: Catalog | None = getattr(self._threads, "catalog", None)
        if known and known.is_open and known.kinds is kinds and known.is_same_file():
            return known
        if known:
            known.close()
        with translate_sqlite_errors():
            self._threads.catalog = catalog = Catalog.open(self.tree.create_private_folder(), kinds)
        self._catalogs.add(catalog)
        return catalog

    @contextmanager
    def read(
        self, ingest: IngestContents = IngestContents.ATOMS, *, max_age_s: float | None = None
    ) -> Iterator[View]:
        """Bring the catalog up to date, and yield one snapshot of it.

        `max_age_s` overrides that of the reader: planning a change needs the current state.
        """
        age_s = self.max_age_s if max_age_s is None else max_age_s
        with self._snapshot(self._open_current_catalog(ingest, int(age_s * NS_PER_S))) as view:
            yield view

    @contextmanager
    def view_without_refresh(self) -> Iterator[View]:
        """Yield one snapshot of the catalog as it is."""
        with self._snapshot(self.catalog) as view:
            yield view

    @contextmanager
    def _snapshot(self, catalog: Catalog) -> Iterator[View]:
        repository = TreeRepository(self.tree.root)
        try:
            with translate_sqlite_errors(), catalog.snapshot():
                yield View(self.tree, self.settings, catalog, repository, self.clock, self.model)
        except DamagedDatabase as damaged:
            self.discard_catalog()
            raise CatalogDamaged(str(damaged)) from None

    def refresh(self, paths: Collection[str] | None = None) -> list[str]:
        """Update the catalog from the tree, or from the paths `among`; return the changed paths.

        A damaged catalog is rebuilt. Raises `CatalogFailed` if that fails too.
        """
        if paths is None:
            with self._hold(self._comparison_lock):
                return self._compare_all()
        with self._hold():
            return self._refresh_or_rebuild(paths)

    def ingest_texts(self, ingest: IngestContents = IngestContents.TEXTS) -> None:
        """Ingest the changed texts into the catalog."""
        with self._hold():
            try:
                self._ingest(ingest)
            except DamagedDatabase:
                self.discard_catalog()

    def mark_indexes_current(self, planned: Sequence[IndexPlan]) -> None:
        """Record in the catalog that these indexes are current."""
        with self._hold(), translate_sqlite_errors():
            index_plans.record_current_indexes(self.tree, self.catalog, planned, self.clock())

    def store_value(self, key: str, value: str) -> None:
        """Store a text under a key in the catalog."""
        with self._hold(), translate_sqlite_errors():
            self.catalog.set_value(key, value)

    def plan_drain(self) -> Plan:
        """Return the plan that adds the oldest notes to the logs."""
        from cortexfs.core.access.plan_drain import plan_drain  # noqa: PLC0415 - most runs find no note
        from cortexfs.session.payload_path_resolver import make_path_resolver  # noqa: PLC0415

        here = make_path_resolver(self.tree, self.settings.kinds)
        return plan_drain(self.tree.spool.read_waiting(), here, self.tree.read_appendable_log)

    def discard_catalog(self) -> None:
        """Discard the catalog as damaged; the next request rebuilds it."""
        self.catalog.quarantine()

    def close(self) -> None:
        """Close every thread's connection."""
        with self._hold(self._comparison_lock):
            pass  # a comparison that goes on would open another
        for catalog in list(self._catalogs):
            catalog.close()

    def _open_current_catalog(self, ingest: IngestContents, max_age_ns: int) -> Catalog:
        """Return this thread's catalog, updated from the tree and with the texts ingested."""
        self._compare_if_needed(time.monotonic_ns(), max_age_ns)
        if ingest is IngestContents.ATOMS:
            return self.catalog
        with self._hold():
            try:
                return self._ingest(ingest)
            except DamagedDatabase:
                self.discard_catalog()
            self._refresh_or_rebuild()
            try:
                return self._ingest(ingest)
            except DamagedDatabase as damaged:
                raise CatalogFailed(str(damaged)) from None

    def _compare_if_needed(self, asked_ns: int, max_age_ns: int) -> None:
        """Compare all stamps, unless the last comparison is recent enough.

        Threads that wait for each other here share the work: a thread reads no stamps if another
        began a comparison after the thread's request.
        """
        identity = self.catalog.identity
        began = self._known_stamps.began_ns(identity)
        if began >= 0 and (self.is_watched or began >= asked_ns - max_age_ns):
            if not self.is_watched and began < asked_ns - max_age_ns // 2:
                self._compare_in_background()
            return
        with self._hold(self._comparison_lock):
            if self._known_stamps.began_ns(identity) < max(asked_ns, 0):
                self._compare_all()

    def _compare_in_background(self) -> None:
        """Compare in a separate thread, unless one already runs: no request has to wait for it.

        If that fails nothing is remembered, and the next request that has to compare reports it.
        """

        def compare() -> None:
            try:
                with suppress(CortexError, OSError):
                    self._compare_all()
            finally:
                self._comparison_lock.release()

        if self._comparison_lock.acquire(blocking=False):
            threading.Thread(target=compare, name="cortexfs-compare", daemon=True).start()

    def _compare_all(self) -> list[str]:
        """Read all stamps, ingest the files that differ, and return the changed paths."""
        began, at, catalog = time.monotonic_ns(), time.time_ns(), self.catalog
        known, now = catalog.identity, self.tree.stamp_files(catalog.kinds)
        paths = self._known_stamps.find_differing_paths(known, now)
        if paths is not None and not self._has_rows(catalog):
            paths = None
        changed: list[str] = []
        if paths is None or paths:
            with self._hold():
                changed = self._refresh_or_rebuild(paths, Stamped(at, now))
        if self.catalog.identity == known:
            self._known_stamps.store_comparison(known, began, now, paths=paths, at_ns=at)
        return changed

    def _has_rows(self, catalog: Catalog) -> bool:
        """Return whether the catalog still has its rows: another version empties it."""
        try:
            with translate_sqlite_errors():
                return catalog.count_files() >= len(self._known_stamps.last_comparison.stamps)
        except DamagedDatabase:
            return False

    def _ingest(self, ingest: IngestContents) -> Catalog:
        catalog = self.catalog
        with translate_sqlite_errors():
            if IngestContents.TEXTS in ingest:
                from cortexfs.catalog.text_queries import ingest_changed_texts  # noqa: PLC0415 - few commands ask

                ingest_changed_texts(catalog, self.tree, self.progress)
            if IngestContents.PAGES in ingest:
                from cortexfs.catalog import page_index  # noqa: PLC0415 - as above

                page_index.refresh_page_index(catalog, self.tree, self.settings.kinds)
            if IngestContents.FINDINGS in ingest:
                from cortexfs.catalog.finding_cache import update_finding_cache  # noqa: PLC0415 - as above

                update_finding_cache(catalog, self.tree, self.settings.kinds)
        return catalog

    def _refresh_or_rebuild(
        self, paths: Collection[str] | None = None, stamped: Stamped | None = None
    ) -> list[str]:
        try:
            return self._refresh_catalog(paths, stamped)
        except DamagedDatabase:
            self.discard_catalog()
        try:
            return self._refresh_catalog(None)
        except DamagedDatabase as damaged:
            raise CatalogFailed(str(damaged)) from None

    def _refresh_catalog(
        self, paths: Collection[str] | None, stamped: Stamped | None = None
    ) -> list[str]:
        catalog = self.catalog
        with translate_sqlite_errors():
            changes = refresh_catalog(catalog, self.tree, self.progress, paths, stamped)
        return [change.path for change in changes]

    @contextmanager
    def _hold(self, lock: threading.Lock | None = None) -> Iterator[None]:
        """Allow one thread at a time to write to the catalog, or to hold `lock`."""
        lock = lock or self._catalog_lock
        if not lock.acquire(timeout=self.wait_s):
            raise CatalogBusy
        try:
            yield
        finally:
            lock.release()
