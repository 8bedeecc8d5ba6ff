"""Atoms that have not been read for a long time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.indexes.index_entry import parse_date_ordinal
from cortexfs.core.maintain.project_atoms import is_active, is_unmarked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from cortexfs.core.indexes.index_entry import IndexEntry
    from cortexfs.core.maintain.project_atoms import ProjectAtoms

STALE_DAYS = 30
"""Age in days above which an unread atom may be stale; from `COLD_DAYS` on it is cold."""


class UnreadAtom(NamedTuple):
    """An old atom without reads; `alone` if nothing links to it either."""

    ref: str
    path: str
    days: int
    alone: bool


def find_unread_atoms(study: ProjectAtoms, today: date) -> list[UnreadAtom]:
    """Return the unmarked atoms without reads that are older than `STALE_DAYS`, oldest first.

    Atoms that are numbered over the whole tree have their own lifecycle and are left out.
    """
    found = [
        UnreadAtom(
            str(entry.atom.ref), entry.atom.path, days, entry.atom.ref not in study.linked_refs
        )
        for entry in _never_seen(study)
        if (days := today.toordinal() - parse_date_ordinal(entry.atom)) > STALE_DAYS
        and is_unmarked(entry)
        and not study.kind_of(entry).has_tree_wide_ids
    ]
    return sorted(found, key=lambda u: (-u.days, u.ref))


def find_cold_atoms(study: ProjectAtoms, today: date) -> list[str]:
    """Return the refs of the atoms that the indexes mark as cold, in the order of their paths."""
    old = (entry for entry in _never_seen(study) if is_active(entry) and entry.is_cold(today))
    return [str(entry.atom.ref) for entry in old]


def _never_seen(study: ProjectAtoms) -> Iterator[IndexEntry]:
    """Yield the dated atoms of an index without reads; anti-patterns are left out."""
    for entry in study.entries:
        known = (
            entry.reads.read_count
            or not parse_date_ordinal(entry.atom)
            or study.is_anti_pattern(entry)
        )
        if study.kind_of(entry).indexed and not known:
            yield entry
