"""Plan an index.md: its text, and whether it must be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.access.access_log import ReadStats
from cortexfs.core.atoms.lifecycle import IndexMdSection
from cortexfs.core.changes.plan import IndexPlan, Write
from cortexfs.core.indexes.parse_index import (
    is_generated_index,
    parse_update_time,
    remove_update_time,
)
from cortexfs.core.indexes.render_index import render_index

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.indexes.index_row import IndexRow, IndexRowWithReads


def plan_index(
    path: str,
    *,
    kind: Kind,
    project: str,
    rows: Sequence[IndexRowWithReads],
    unreadable: Sequence[Finding],
    unreadable_reads: Mapping[str, ReadStats],
    present: str | None,
    now: datetime,
) -> IndexPlan:
    """Return an index rendered and compared with its present text, ignoring the time line."""
    text, counts = render_index(kind, project, rows, unreadable, now, unreadable_reads)
    same = present is not None and remove_update_time(text) == remove_update_time(present)
    shown = {name: ReadStats(total.read_count, "") for name, total in unreadable_reads.items()}
    shown |= {
        row.name: ReadStats(count, _select_shown_time(row, last)) for row, count, last in rows
    }
    write = None if same else Write(path, text, present)
    by_hand = bool(write and present and not is_generated_index(present))
    return IndexPlan(path, counts, write, shown, by_hand)


def find_update_time(present: str | None, now: datetime) -> datetime:
    """Return the time at which a present index was rendered, or `now` if it has none."""
    return (parse_update_time(present) if present else None) or now


def _select_shown_time(row: IndexRow, last: str) -> str:
    """Return the last read as the index shows it: empty unless the atom is active."""
    return last if row.section == IndexMdSection.ACTIVE else ""
