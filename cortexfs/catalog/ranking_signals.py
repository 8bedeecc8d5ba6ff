"""What the catalog knows of the atoms that were found, beside their words."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cortexfs.core.find.rank import Known, Standing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date
    from sqlite3 import Connection

MOST = 20_000
"""Atoms that are remembered."""

_KNOWN = """
SELECT doc, ref, t.path, kind, t.project, status, summary,
  max(t.refs, ifnull(by_name.refs, 0), ifnull(by_id.refs, 0),
    (SELECT count(DISTINCT note) FROM looks WHERE looks.project = t.project AND file = t.name)),
  max(t.last, ifnull(by_name.last, ''), ifnull(by_id.last, ''),
    ifnull((SELECT max(ts) FROM looks WHERE looks.project = t.project AND file = t.name), '')),
  (SELECT count(DISTINCT path) FROM links WHERE cited = t.ref AND path != t.path)
  + (SELECT count(DISTINCT path) FROM links
     WHERE cited = t.id AND links.project = t.project AND t.project != '' AND path != t.path)
FROM texts t
LEFT JOIN shown by_name ON by_name.folder = t.folder AND by_name.id = t.name
LEFT JOIN shown by_id ON by_id.folder = t.folder AND by_id.id = t.id
WHERE doc IN (SELECT value FROM json_each(?))
"""


@dataclass(slots=True, eq=False)
class Standings:
    """What is known of atoms, asked for once while the catalog stays as it is."""

    db: Connection
    as_of: tuple[date, int, int] | None = None
    known: dict[int, Standing] = field(default_factory=dict)

    def of(self, docs: Sequence[int], today: date) -> Mapping[int, Standing]:
        """Give what is known of some atoms, and maybe of others; nothing of one that is gone."""
        now = (today, self._version(), self.db.total_changes)
        if now != self.as_of or len(self.known) > MOST:
            self.as_of = now
            self.known.clear()
        if unknown := [doc for doc in docs if doc not in self.known]:
            for doc, *row in self.db.execute(_KNOWN, (json.dumps(unknown),)):
                self.known[doc] = Standing.of(Known(*row), today)
        return self.known

    def _version(self) -> int:
        """Give a number that changes when another connection has committed."""
        return int(self.db.execute("PRAGMA data_version").fetchone()[0])
