"""When a session last compared the files of its tree with its catalog."""

from __future__ import annotations

from typing import NamedTuple

NEVER_COMPARED = -1


class LastComparison(NamedTuple):
    """The last comparison: of which catalog, and when it began, by the monotonic clock."""

    catalog: object
    began_ns: int

    def find_began_ns(self, catalog: object) -> int:
        """Return when the last comparison with a catalog began; `NEVER_COMPARED`: there is none."""
        return self.began_ns if self.catalog == catalog else NEVER_COMPARED
