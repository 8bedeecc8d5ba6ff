"""Ranking signals of found atoms besides their text: reads, citations, status."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cortexfs.catalog.schema import read_data_version
from cortexfs.core.find.rank import RankedAtom, RankingFactors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date
    from sqlite3 import Connection

_SIGNALS_SQL = """
SELECT doc, ref, t.path, t.kind, t.project, t.status, summary,
  ifnull(r.reads, 0), ifnull(r.last_read, ''),
  (SELECT count(DISTINCT path) FROM links WHERE cited = t.ref AND path != t.path)
  + (SELECT count(DISTINCT path) FROM links
     WHERE cited = t.id AND links.project = t.project AND t.project != '' AND path != t.path)
FROM texts t
LEFT JOIN rows r ON r.folder = t.folder AND r.name = t.name
WHERE doc IN (SELECT value FROM json_each(?))
"""


class RankingSignals:
    """Ranking signals of atoms, cached while the catalog does not change."""

    def __init__(self, db: Connection, max_cached_atoms: int) -> None:
        self.db = db
        self.max_cached_atoms = max_cached_atoms
        self.cache_key: tuple[date, int, int] | None = None
        self.cached: dict[int, RankingFactors] = {}

    def get_signals(self, docs: Sequence[int], today: date) -> Mapping[int, RankingFactors]:
        """Return the signals of at least some atoms; atoms that no longer exist are missing."""
        now = (today, read_data_version(self.db), self.db.total_changes)
        if now != self.cache_key or len(self.cached) > self.max_cached_atoms:
            self.cache_key = now
            self.cached.clear()
        if unknown := [doc for doc in docs if doc not in self.cached]:
            for doc, *row in self.db.execute(_SIGNALS_SQL, (json.dumps(unknown),)):
                self.cached[doc] = RankingFactors.from_atom(RankedAtom(*row), today)
        return self.cached
