"""The settings of a tree, and a connection to its catalog for each thread."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from cortexfs.catalog.catalog import Catalog
from cortexfs.catalog.sqlite_errors import translate_sqlite_errors

if TYPE_CHECKING:
    from cortexfs.core.settings.settings import Settings
    from cortexfs.tree.tree import Tree


class CatalogConnections:
    """The current settings of one tree, and its open catalogs."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.are_limited = False
        """Whether the connections, many and open for days, keep only small caches each."""
        self._threads = threading.local()
        self._settings: tuple[object, Settings] | None = None
        """The stamp of `cortexfs.yaml`, and the settings read from it."""

    @property
    def settings(self) -> Settings:
        """The current settings in `cortexfs.yaml`."""
        stamp, now_ns = self.tree.stamp_settings(), time.time_ns()
        known = self._settings
        if known is None or known[0] != stamp:
            settings = self.tree.read_settings()
            if known and known[1] == settings:
                settings = known[1]  # whoever has the catalog of these goes on with it
            known = (stamp and stamp.without_unsettled_times(now_ns), settings)
            self._settings = known
        return known[1]

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
            if self.are_limited:
                catalog.limit_caches()
        return catalog

    def close(self) -> None:
        """Close this thread's connection now, and every other one when its thread has read."""
        known: Catalog | None = getattr(self._threads, "catalog", None)
        if known:
            known.close()
        self._threads = threading.local()  # the old one held those of the other threads
