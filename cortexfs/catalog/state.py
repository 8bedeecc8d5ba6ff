"""Which indexes are known to be as they should be: all that an idle regeneration asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.plan import Counts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.catalog.catalog import Catalog


def rendered(catalog: Catalog, day: str) -> dict[str, Counts]:
    """Give what each index counts that is known to be as it should be on that day."""
    rows = catalog.db.execute(
        "SELECT folder, active, superseded, invalidated, unreadable FROM rendered"
        " WHERE day = ? AND folder NOT IN (SELECT folder FROM stale)",
        (day,),
    )
    return {folder: Counts(*counts) for folder, *counts in rows}


def settle(catalog: Catalog, counts: Mapping[str, Counts], day: str) -> None:
    """Remember that the indexes of these folders are as they should be on that day."""
    with catalog.writing() as db:
        db.executemany("DELETE FROM stale WHERE folder = ?", ((folder,) for folder in counts))
        rows = ((folder, day, *each) for folder, each in counts.items())
        db.executemany("INSERT OR REPLACE INTO rendered VALUES (?, ?, ?, ?, ?, ?)", rows)
