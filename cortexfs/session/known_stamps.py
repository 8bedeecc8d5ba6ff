"""The file stamps that a session last saw, and the time of that comparison.

A request compares the stamps on disk with these in memory, and asks the catalog only about paths
that differ: to load ten thousand known stamps takes as long as to read as many from the disk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.compare_stamps import COARSE_CLOCK_NS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cortexfs.core.changes.compare_stamps import FileStamp

NEVER_COMPARED = -1
MAX_SINGLE_PATHS = 500
"""Maximum number of paths compared one by one; for more, the catalog loads all known stamps."""


class StampComparison(NamedTuple):
    """One comparison of all stamps: its catalog, start time and stamps."""

    catalog: object
    began_ns: int
    stamps: Mapping[str, FileStamp]


class KnownStamps:
    """The last comparison of all stamps; only one thread at a time replaces it."""

    def __init__(self) -> None:
        self.last_comparison = StampComparison(None, NEVER_COMPARED, {})

    def began_ns(self, catalog: object) -> int:
        """Return when the last comparison with a catalog began; `NEVER_COMPARED`: there is none."""
        last = self.last_comparison
        return last.began_ns if last.catalog == catalog else NEVER_COMPARED

    def find_differing_paths(
        self, catalog: object, now: Mapping[str, FileStamp]
    ) -> Collection[str] | None:
        """Return the paths whose stamps differ from those last seen; None for "compare all"."""
        last = self.last_comparison
        if last.catalog != catalog:
            return None
        if now == last.stamps:
            return ()
        paths = [path for path, stamp in now.items() if last.stamps.get(path) != stamp]
        paths += [path for path in last.stamps if path not in now]
        return paths if len(paths) <= MAX_SINGLE_PATHS else None

    def store_comparison(
        self,
        catalog: object,
        began_ns: int,
        now: dict[str, FileStamp],
        *,
        paths: Collection[str] | None,
        at_ns: int,
    ) -> None:
        """Remember a comparison whose differing `paths` (None: all) the catalog has ingested.

        A file so young that it could change without a new stamp is compared again next time.
        `began_ns` is by the monotonic clock, `at_ns` by that of files.
        """
        oldest_ns = at_ns - COARSE_CLOCK_NS  # a stamp before that is settled
        if paths is None:
            paths = [p for p, (_, mtime, ctime) in now.items() if max(mtime, ctime) > oldest_ns]
        for path in paths:
            if path in now:
                now[path] = now[path].without_unsettled_times(at_ns)
        self.last_comparison = StampComparison(catalog, began_ns, now)
