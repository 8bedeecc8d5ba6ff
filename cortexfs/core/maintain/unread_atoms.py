"""Atoms that have not been read for a long time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.indexes.atom_with_reads import date_ordinal_of_atom, parse_arrival_ordinal
from cortexfs.core.maintain.project_atoms import is_active, is_unmarked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.core.maintain.project_atoms import ProjectAtoms

STALE_DAYS = 30
"""Age in days above which an unread atom may be stale; from `COLD_DAYS` on it is cold."""


class UnreadAtom(NamedTuple):
    """An old atom without reads, and whether nothing links to it either."""

    ref: str
    path: str
    days: int
    is_unlinked: bool


def find_unread_atoms(project: ProjectAtoms, today: date) -> list[UnreadAtom]:
    """Return the unmarked atoms without reads that are older than `STALE_DAYS`, oldest first.

    The age of an imported atom counts from its import: nobody could read it here before.

    Atoms that are numbered over the whole tree have their own lifecycle and are left out.
    """
    found = [
        UnreadAtom(
            str(entry.atom.ref), entry.atom.path, days, entry.atom.ref not in project.linked_refs
        )
        for entry in _list_never_read(project)
        if (days := today.toordinal() - parse_arrival_ordinal(entry.atom)) > STALE_DAYS
        and is_unmarked(entry)
        and not project.find_kind(entry).has_tree_wide_ids
    ]
    return sorted(found, key=lambda u: (-u.days, u.ref))


def find_cold_atoms(project: ProjectAtoms, today: date) -> list[str]:
    """Return the refs of the atoms that the indexes mark as cold, in the order of their paths."""
    unread = _list_never_read(project)
    return [str(e.atom.ref) for e in unread if is_active(e) and e.is_cold(today)]


def _list_never_read(project: ProjectAtoms) -> Iterator[AtomWithReads]:
    """Yield the dated atoms of an index without reads.

    Anti-patterns are left out, and what is made from chats: recall weighs its age.
    """
    for entry in project.entries:
        is_excluded = (
            entry.reads.read_count
            or not date_ordinal_of_atom(entry.atom)
            or project.is_anti_pattern(entry)
        )
        kind = project.find_kind(entry)
        if kind.indexed and not kind.is_from_story and not is_excluded:
            yield entry
