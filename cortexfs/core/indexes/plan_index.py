"""Decide what an index.md should read, and whether it must be written for that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.access.access_log import Total
from cortexfs.core.atoms.lifecycle import Section
from cortexfs.core.changes.plan import IndexPlan, Write
from cortexfs.core.indexes.render_index import is_rendered, render, timeless, updated_at

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.indexes.index_row import Listed, Row


def plan_index(
    path: str,
    *,
    kind: Kind,
    project: str,
    rows: Sequence[Listed],
    unreadable: Sequence[Finding],
    refs: Mapping[str, Total],
    present: str | None,
    now: datetime,
) -> IndexPlan:
    """Render an index beside its present text; only the time line differing is no change."""
    text, counts = render(kind, project, rows, unreadable, now, refs)
    same = present is not None and timeless(text) == timeless(present)
    shown = {name: Total(total.refs, "") for name, total in refs.items()}
    shown |= {row.name: Total(count, _last_shown(row, last)) for row, count, last in rows}
    write = None if same else Write(path, text, present)
    by_hand = bool(write and present and not is_rendered(present))
    return IndexPlan(path, counts, write, shown, by_hand)


def as_of(present: str | None, now: datetime) -> datetime:
    """Give the time at which a present index says that it was true; now, where it says none."""
    return (updated_at(present) if present else None) or now


def _last_shown(row: Row, last: str) -> str:
    """Give what would be read back: only active atoms show their last ref."""
    return last if row.section == Section.ACTIVE else ""
