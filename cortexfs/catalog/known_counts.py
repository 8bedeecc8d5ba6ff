"""How often texts have the terms that were searched, kept while the catalog does not change.

Questions about the same things have terms in common, and much the same matches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.catalog.schema import read_data_version
from cortexfs.core.find.count_terms import TermCounts, count_terms, find_uncounted, select_counts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection

    from cortexfs.catalog.full_text_index import FullTextIndex
    from cortexfs.core.find.count_terms import CountedTexts, SearchedPatterns

COUNTS_PER_ATOM = 10
"""Number of counts, of 80 bytes each, for each atom of which anything is kept."""


class KnownCounts:
    """The numbers of occurrences of terms in texts."""

    def __init__(self, db: Connection, max_counts: int) -> None:
        self.db = db
        self.max_counts = max_counts
        self.cache_key = (-1, -1)
        self.counts = TermCounts({}, {})
        self.count = 0
        """The number of counts, or more."""

    def read(
        self, index: FullTextIndex, docs: Sequence[int], searched: SearchedPatterns
    ) -> CountedTexts:
        """Return the counts of some texts; only texts with unknown counts are read."""
        self._forget_if_changed()
        if unknown := find_uncounted(self.counts, docs, searched):
            count_terms(self.counts, index.read_weighted_texts(unknown), searched)
            self.count += (1 + len(unknown)) * len(searched.patterns)
        return select_counts(self.counts, docs, searched)

    def _forget_if_changed(self) -> None:
        now = (read_data_version(self.db), self.db.total_changes)
        if now != self.cache_key or self.count > self.max_counts:
            self.cache_key, self.count = now, 0
            self.counts.sizes.clear()
            self.counts.columns.clear()
