"""Atoms that nobody has looked at for long."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.indexes.index_entry import born
from cortexfs.core.maintain.inputs import is_unmarked, stands

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from cortexfs.core.indexes.index_entry import Entry
    from cortexfs.core.maintain.inputs import Study

STALE_DAYS = 30
"""An atom without refs that is older may be stale; from `COLD_DAYS` on it is cold."""


class Unread(NamedTuple):
    """An old atom that nobody has looked at; `alone` where nothing names it either."""

    ref: str
    path: str
    days: int
    alone: bool


def unread(study: Study, today: date) -> list[Unread]:
    """Find the unmarked atoms without refs that are older than `STALE_DAYS`, oldest first.

    Atoms that are numbered over the whole tree have a life of their own, and are left out.
    """
    found = [
        Unread(str(entry.atom.ref), entry.atom.path, days, entry.atom.ref not in study.named)
        for entry in _never_seen(study)
        if (days := today.toordinal() - born(entry.atom)) > STALE_DAYS
        and is_unmarked(entry)
        and not study.kind(entry).tree_wide
    ]
    return sorted(found, key=lambda u: (-u.days, u.ref))


def cold(study: Study, today: date) -> list[str]:
    """Name the atoms that the indexes call cold, in the order of their paths."""
    old = (entry for entry in _never_seen(study) if stands(entry) and entry.cold(today))
    return [str(entry.atom.ref) for entry in old]


def _never_seen(study: Study) -> Iterator[Entry]:
    """Give the dated atoms of an index that nobody has read; an anti-pattern waits for its day."""
    for entry in study.entries:
        known = entry.total.refs or not born(entry.atom) or study.is_anti_pattern(entry)
        if study.kind(entry).indexed and not known:
            yield entry
