"""Read a tree from any thread: refresh the catalog, and take snapshots of it."""

from __future__ import annotations

import time
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from cortexfs.catalog.sqlite_errors import DamagedDatabase, translate_sqlite_errors
from cortexfs.core.changes.compare_stamps import NS_PER_SECOND
from cortexfs.errors import CatalogBusy, CatalogDamaged, TreeMoved
from cortexfs.session.catalog_comparisons import CatalogComparisons
from cortexfs.session.catalog_connections import CatalogConnections
from cortexfs.session.catalog_updates import CatalogUpdates
from cortexfs.session.tree_repository import TreeRepository, share_repository
from cortexfs.session.view import NeededContents, View
from cortexfs.tree.recognize_tree import identify_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.catalog.embeddings.embedding_model import EmbeddingModel
    from cortexfs.core.changes.plan import IndexPlan
    from cortexfs.core.settings.settings import Settings
    from cortexfs.history.known_commits import KnownCommits, TreeCommits
    from cortexfs.tree.tree import Tree

    Progress = Callable[[int, int], None]

MAX_REPLACED = 10
"""Number of times that another process may replace the catalog during one read."""


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
        self.has_changed = False
        """Whether this process has changed the tree."""
        self._known_commits: KnownCommits | None = None
        self.connections = CatalogConnections(tree)
        self._root_identity = identify_folder(tree.root)
        self.updates = CatalogUpdates(tree, lambda: self.catalog)
        self.comparisons = CatalogComparisons(tree, self.updates, lambda: self.catalog)

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
        return self.max_age_s > 0

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

    def read_at_once(self, ingest: NeededContents) -> AbstractContextManager[View]:
        """Return one snapshot with what events tell; without a watch the same as `read`."""
        if not self.comparisons.catch_up_by_events():
            return self.read(ingest)
        self.updates.ingest(ingest)
        return self._snapshot(self.catalog, None)

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
            return self.comparisons.compare()
        return self.updates.refresh(paths)

    def ingest_texts(self) -> None:
        """Ingest the changed texts into the catalog."""
        self.updates.ingest(NeededContents.TEXTS)

    def mark_indexes_current(self, planned: Sequence[IndexPlan]) -> None:
        """Record in the catalog that these indexes are current."""
        from cortexfs.catalog.index_plans import record_current_indexes  # noqa: PLC0415 - most commands only read

        with self.updates.hold(), translate_sqlite_errors():
            record_current_indexes(self.tree, self.catalog, planned, self.clock())

    def store_value(self, key: str, value: str) -> None:
        """Store a text under a key in the catalog."""
        with self.updates.hold(), translate_sqlite_errors():
            self.catalog.set_value(key, value)

    def move_log_into_catalog(self) -> None:
        """Move what was written to the catalog from its log into the file; changes go on."""
        with translate_sqlite_errors():
            self.catalog.move_log_into_file()

    def list_commits(self) -> TreeCommits:
        """Return the commits of the tree, newest first, without those of housekeeping.

        Without a repository there are none. They are kept, so that a server asks git only for new
        ones.
        """
        from cortexfs.core.changes.plan import HOUSEKEEPING_MESSAGES  # noqa: PLC0415 - only servers ask
        from cortexfs.history.known_commits import KnownCommits, TreeCommits  # noqa: PLC0415

        self.require_same_root()
        history = TreeRepository(self.tree.root).history
        if history is None:
            return TreeCommits()
        self._known_commits = self._known_commits or KnownCommits()
        return self._known_commits.read(history, HOUSEKEEPING_MESSAGES)

    def discard_catalog(self) -> None:
        """Discard the catalog as damaged; the next request rebuilds it."""
        self.catalog.quarantine()

    def close(self) -> None:
        """Close every connection, and stop to watch."""
        self.comparisons.stop_watching()
        with self.comparisons.hold():  # a running comparison could open another
            self.connections.close()

    def _open_current_catalog(self, ingest: NeededContents, max_age_ns: int) -> Catalog:
        """Return this thread's catalog, refreshed and with the texts ingested.

        One that another process has replaced meanwhile is empty: it is refreshed in turn.
        """
        for _ in range(MAX_REPLACED):
            identity = self.catalog.identity
            self.comparisons.compare_if_needed(time.monotonic_ns(), max_age_ns)
            if ingest is not NeededContents.ATOMS:
                self.updates.ingest(ingest)
            if (catalog := self.catalog).identity == identity:
                return catalog
        raise CatalogBusy
