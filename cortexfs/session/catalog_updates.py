"""Updates of the catalog of one tree, by one thread at a time; a damaged catalog is rebuilt."""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

from cortexfs.catalog.folder_digests import has_no_other_writer
from cortexfs.catalog.refresh_catalog import refresh_catalog, scan_tree
from cortexfs.catalog.schema import read_data_version
from cortexfs.catalog.sqlite_errors import DamagedDatabase, translate_sqlite_errors
from cortexfs.errors import CatalogBusy, CatalogFailed
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from contextlib import AbstractContextManager

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.tree.scan_folders import TreeScan
    from cortexfs.tree.tree import Tree

    Progress = Callable[[int, int], None]

_AnswerT = TypeVar("_AnswerT")

WAIT_S = 30.0
"""Seconds to wait for another thread's or process's work on catalog or tree."""


class FairLock:
    """A lock that a thread gets again only after one that waits for it meanwhile."""

    def __init__(self) -> None:
        self._turn, self._lock = threading.Lock(), threading.Lock()

    @contextmanager
    def hold(self, wait_s: float) -> Iterator[None]:
        """Hold the lock; raise `CatalogBusy` if others keep it too long."""
        with hold_lock(self._turn, wait_s):
            if not self._lock.acquire(timeout=wait_s):
                raise CatalogBusy
        try:
            yield
        finally:
            self._lock.release()

    def is_wanted(self) -> bool:
        """Return whether a thread waits for the lock."""
        return self._turn.locked()


class CatalogUpdates:
    """What writes to the catalog from the files; `open_catalog` returns that of the thread."""

    def __init__(self, tree: Tree, open_catalog: Callable[[], Catalog]) -> None:
        self.tree = tree
        self.progress: Progress | None = None
        self._open_catalog = open_catalog
        self.lock = FairLock()
        """Held while this process writes to the catalog."""

    def hold(self) -> AbstractContextManager[None]:
        """Let no other thread write meanwhile."""
        return self.lock.hold(WAIT_S)

    def scan(self) -> TreeScan | None:
        """Scan the tree beside what the catalog knows; return None if the catalog is damaged."""
        try:
            with translate_sqlite_errors():
                return scan_tree(self._open_catalog(), self.tree)
        except DamagedDatabase:
            return None

    def has_no_other_writer(self, catalog: Catalog, version: int) -> bool:
        """Return whether no other connection has written since a version, or writes now."""
        with suppress(DamagedDatabase):
            return catalog is self._open_catalog() and has_no_other_writer(catalog, version)
        return False

    def refresh(
        self,
        paths: Collection[str] | None,
        scan: TreeScan | None = None,
        *,
        read_again: bool = False,
    ) -> list[str]:
        """Update the catalog as `refresh_catalog` does; return the changed paths."""

        def refresh() -> list[str]:
            with translate_sqlite_errors():
                return refresh_catalog(
                    self._open_catalog(),
                    self.tree,
                    self.progress,
                    paths,
                    scan,
                    read_again=read_again,
                )

        with self.hold():
            return self._retry_if_damaged(refresh, self._refresh_all)

    def ingest(self, contents: NeededContents) -> None:
        """Ingest the changed contents; a damaged catalog is rebuilt first.

        What takes long is done in parts, between which other threads write.
        """
        parts = self._iter_parts(contents)

        def ingest_part() -> int:
            with translate_sqlite_errors():
                return next(parts, 0)

        def rebuild() -> int:
            self._refresh_all()
            with translate_sqlite_errors():
                for _ in self._iter_parts(contents):
                    pass
            return 0

        is_left = True
        while is_left:
            with self.hold():
                is_left = self._retry_if_damaged(ingest_part, rebuild) > 0

    def _iter_parts(self, contents: NeededContents) -> Iterator[int]:
        """Ingest contents; yield the number of texts of each part after it.

        It begins again if a change was ingested between two parts: its texts may come before them.
        """
        catalog = self._open_catalog()
        version = None
        while version != (now := read_data_version(catalog.db)):
            version = now
            yield from _ingest_contents(catalog, self.tree, contents, self.progress)

    def _refresh_all(self) -> list[str]:
        with translate_sqlite_errors():
            return refresh_catalog(self._open_catalog(), self.tree, self.progress)

    def _retry_if_damaged(
        self, attempt: Callable[[], _AnswerT], retry: Callable[[], _AnswerT]
    ) -> _AnswerT:
        """Return the result of an attempt; if the catalog is damaged, of `retry` with a new one."""
        try:
            return attempt()
        except DamagedDatabase:
            self._open_catalog().quarantine()
        try:
            return retry()
        except DamagedDatabase as damaged:
            raise CatalogFailed(str(damaged)) from None


@contextmanager
def hold_lock(lock: threading.Lock, wait_s: float) -> Iterator[None]:
    """Hold a lock; raise `CatalogBusy` if another thread keeps it too long."""
    if not lock.acquire(timeout=wait_s):
        raise CatalogBusy
    try:
        yield
    finally:
        lock.release()


def _ingest_contents(
    catalog: Catalog,
    tree: Tree,
    contents: NeededContents,
    progress: Progress | None,
) -> Iterator[int]:
    """Ingest these contents of the files that have changed; refresh the catalog first.

    Yields after each transaction of many, which has a number of texts.
    """
    if NeededContents.TEXTS in contents:
        from cortexfs.catalog.content_queries import ingest_changed_texts  # noqa: PLC0415 - few commands need it

        yield from ingest_changed_texts(catalog, tree, progress)
    if NeededContents.PAGES in contents:
        from cortexfs.catalog.page_index import refresh_page_index  # noqa: PLC0415 - as above

        refresh_page_index(catalog, tree, catalog.kinds)
    if NeededContents.FINDINGS in contents:
        from cortexfs.catalog.finding_cache import update_finding_cache  # noqa: PLC0415 - as above

        yield from update_finding_cache(catalog, tree, catalog.kinds)
