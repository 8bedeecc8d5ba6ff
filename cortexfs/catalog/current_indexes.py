"""The indexes known to be up to date: all that is needed when nothing has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.catalog.schema import insert_rows
from cortexfs.core.changes.plan import SectionCounts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection


def read_current_indexes(db: Connection, day: str) -> dict[str, SectionCounts]:
    """Return the counts of each index that is known to be up to date on that day."""
    rows = db.execute(
        "SELECT folder, active, superseded, invalidated, unreadable FROM rendered"
        " WHERE day = ? AND folder NOT IN (SELECT folder FROM stale)",
        (day,),
    )
    return {folder: SectionCounts(*counts) for folder, *counts in rows}


def store_shown_reads(db: Connection, folder: str, shown: Mapping[str, tuple[int, str]]) -> None:
    """Store what an index shows; only new or changed rows are written."""
    rows = db.execute("SELECT id, refs, last FROM shown WHERE folder = ?", (folder,))
    known = {name: (refs, last) for name, refs, last in rows}
    gone = ((folder, name) for name in known.keys() - shown.keys())
    db.executemany("DELETE FROM shown WHERE folder = ? AND id = ?", gone)
    fresh = ((folder, name, *total) for name, total in shown.items() if known.get(name) != total)
    insert_rows(db, "shown", fresh)
