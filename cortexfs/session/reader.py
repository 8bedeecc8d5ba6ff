"""Read a tree from any thread: settings, catalog connections, snapshots."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakSet

from cortexfs.catalog import index_plans
from cortexfs.catalog.catalog import Catalog
from cortexfs.catalog.sqlite_errors import Damaged, reported
from cortexfs.errors import CatalogBusy, CatalogDamaged, CatalogFailed
from cortexfs.session.repository import Repository
from cortexfs.session.view import Intake, View

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from datetime import datetime

    from cortexfs.catalog.embeddings.embedding_model import Model
    from cortexfs.core.changes.plan import IndexPlan, Plan
    from cortexfs.core.settings.settings import Settings
    from cortexfs.tree.tree import Tree

    Progress = Callable[[int, int], None]

WAIT_S = 30.0
"""How long another thread's or process's work on catalog or tree is waited for."""


@dataclass(slots=True, eq=False)
class Reader:
    """The catalog of one tree, with a connection for each thread that asks."""

    tree: Tree
    clock: Callable[[], datetime]
    progress: Progress | None = None
    model: Model | None = None
    wait_s: float = WAIT_S
    watched: bool = False
    """Whether somebody calls `refresh` with the paths that change: then no stamps are read."""
    _threads: threading.local = field(default_factory=threading.local)
    _catalogs: WeakSet[Catalog] = field(default_factory=WeakSet)
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _settings: tuple[object, Settings] | None = None
    _current_since: int = -1
    """When the last reading of all stamps began, by the monotonic clock."""

    @property
    def settings(self) -> Settings:
        """The settings as `cortexfs.yaml` says them now."""
        stamp, now = self.tree.settings_stamp(), time.time_ns()
        if self._settings is None or self._settings[0] != stamp:
            self._settings = (stamp and stamp.settled(now), self.tree.settings())
        return self._settings[1]

    @property
    def catalog(self) -> Catalog:
        """This thread's connection to the catalog; opened anew where the file was replaced."""
        kinds = self.settings.kinds
        known: Catalog | None = getattr(self._threads, "catalog", None)
        if known and known.is_open and known.kinds is kinds and known.is_in_place():
            return known
        if known:
            known.close()
        with reported():
            self._threads.catalog = catalog = Catalog.open(self.tree.prepare(), kinds)
        self._catalogs.add(catalog)
        return catalog

    @contextmanager
    def read(self, intake: Intake = Intake.ATOMS) -> Iterator[View]:
        """Bring the catalog up to date, and give one snapshot of it."""
        with self._snapshot(self._brought_up_to_date(intake)) as view:
            yield view

    @contextmanager
    def view(self) -> Iterator[View]:
        """Give one snapshot of the catalog as it is."""
        with self._snapshot(self.catalog) as view:
            yield view

    @contextmanager
    def _snapshot(self, catalog: Catalog) -> Iterator[View]:
        repository = Repository(self.tree.root)
        try:
            with reported(), catalog.snapshot():
                yield View(self.tree, self.settings, catalog, repository, self.clock, self.model)
        except Damaged as damaged:
            self.rebuild()
            raise CatalogDamaged(str(damaged)) from None

    def refresh(self, among: Collection[str] | None = None) -> list[str]:
        """Make the catalog agree with the tree, or `among` some paths; return what had changed.

        A catalog that turns out damaged is made anew. Raises `CatalogFailed` where that fails too.
        """
        with self._alone():
            return self._refresh(among)

    def take_in(self, intake: Intake = Intake.TEXTS) -> None:
        """Have the catalog take in what has changed of the texts."""
        with self._alone():
            try:
                self._taken_in(intake)
            except Damaged:
                self.rebuild()

    def settle(self, planned: Sequence[IndexPlan]) -> None:
        """Let the catalog know what these indexes now say."""
        with self._alone(), reported():
            index_plans.settle(self.tree, self.catalog, planned, self.clock())

    def remember(self, what: str, value: str) -> None:
        """Have the catalog keep a text under a word."""
        with self._alone(), reported():
            self.catalog.remember(what, value)

    def plan_drain(self) -> Plan:
        """Decide what the oldest notes add to the logs."""
        from cortexfs.core.access.plan_drain import plan_drain  # noqa: PLC0415 - most runs find no note
        from cortexfs.session.hook_paths import around  # noqa: PLC0415

        here = around(self.tree, self.settings.kinds)
        return plan_drain(self.tree.spool.waiting(), here, self.tree.log)

    def rebuild(self) -> None:
        """Put the catalog aside as damaged; the next question has it built anew."""
        self.catalog.put_aside()

    def close(self) -> None:
        """Close every thread's connection."""
        for catalog in list(self._catalogs):
            catalog.close()

    def _brought_up_to_date(self, intake: Intake) -> Catalog:
        """Return this thread's catalog, as the tree is now and with the texts taken in.

        Threads that wait for each other here share the work: a thread reads no stamps where
        another began to after the thread had asked.
        """
        asked = time.monotonic_ns()
        with self._alone():
            if self._current_since < (0 if self.watched else asked):
                self._refresh()
            try:
                return self._taken_in(intake)
            except Damaged:
                self.rebuild()
            self._refresh()
            try:
                return self._taken_in(intake)
            except Damaged as damaged:
                raise CatalogFailed(str(damaged)) from None

    def _taken_in(self, intake: Intake) -> Catalog:
        catalog = self.catalog
        with reported():
            if Intake.TEXTS in intake:
                from cortexfs.catalog.text_queries import take_in  # noqa: PLC0415 - few commands ask

                take_in(catalog, self.tree, self.progress)
            if Intake.FINDINGS in intake:
                from cortexfs.catalog.finding_cache import examine  # noqa: PLC0415 - as above

                examine(catalog, self.tree, self.settings.kinds)
        return catalog

    def _refresh(self, among: Collection[str] | None = None) -> list[str]:
        try:
            return self._compare(among)
        except Damaged:
            self.rebuild()
        try:
            return self._compare(None)
        except Damaged as damaged:
            raise CatalogFailed(str(damaged)) from None

    def _compare(self, among: Collection[str] | None) -> list[str]:
        began, catalog = time.monotonic_ns(), self.catalog
        with reported():
            changes = catalog.refresh(self.tree, catalog.kinds, self.progress, among)
        if among is None:
            self._current_since = began
        return [change.path for change in changes]

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Let one thread at a time write to the catalog."""
        if not self._turn.acquire(timeout=self.wait_s):
            raise CatalogBusy
        try:
            yield
        finally:
            self._turn.release()
