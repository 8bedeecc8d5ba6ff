"""Memories that are old and of little importance: maintenance may archive them."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.indexes.atom_with_reads import parse_arrival_ordinal
from cortexfs.core.maintain.project_atoms import is_active
from cortexfs.core.maintain.unread_atoms import STALE_DAYS
from cortexfs.core.memory.importance_score import (
    MemoryScore,
    compute_importance,
    is_archivable,
)
from cortexfs.core.memory.memory_record import number_from_id

if TYPE_CHECKING:
    from datetime import date

    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.core.maintain.project_atoms import ProjectAtoms


class ArchivableMemory(NamedTuple):
    """A memory that may be archived: its age in days, and its score."""

    ref: str
    path: str
    days: int
    score: float


def find_archivable_memories(project: ProjectAtoms, today: date) -> list[ArchivableMemory]:
    """Return the memories to which the rule of the tree applies, oldest first.

    Never a decision, one that another atom or a governance file cites, or one whose score is
    unknown: reads of the project must have been logged for more than `STALE_DAYS`. The age of an
    imported memory counts from its import.
    """
    if (
        not project.reads_logged_since
        or today.toordinal() - project.reads_logged_since <= STALE_DAYS
    ):
        return []
    found = (
        ArchivableMemory(str(entry.atom.ref), entry.atom.path, days, score.total)
        for entry in project.entries
        if _is_candidate(project, entry)
        and (days := _count_days(entry, today)) > project.archive_rule.days
        and _is_archivable(project, entry, score := _compute_score(project, entry, today), today)
    )
    return sorted(found, key=lambda each: (-each.days, each.ref))


def _is_candidate(project: ProjectAtoms, entry: AtomWithReads) -> bool:
    """Return whether an atom is a current memory that nothing cites, and that warns of nothing."""
    kind = project.find_kind(entry)
    return (
        kind.is_memory
        and kind.indexed
        and is_active(entry)
        and not entry.atom.text_field("deleted-at")
        and entry.atom.ref not in project.linked_refs
        and not project.is_anti_pattern(entry)
    )


def _is_archivable(
    project: ProjectAtoms, entry: AtomWithReads, score: MemoryScore, today: date
) -> bool:
    atom, (days, below) = entry.atom, project.archive_rule
    now = _start_of_day(today)
    return is_archivable(
        atom.text_field("type"), _read_creation(entry), score, now, days=days, below=below
    )


def _compute_score(project: ProjectAtoms, entry: AtomWithReads, today: date) -> MemoryScore:
    incoming = project.relations_to.get(number_from_id(entry.ident), 0)
    return compute_importance(
        entry.atom.text_field("type"),
        _read_creation(entry),
        entry.reads.read_count,
        entry.reads.last_read,
        incoming,
        _start_of_day(today),
    )


def _read_creation(entry: AtomWithReads) -> str:
    return entry.atom.text_field("created") or entry.atom.text_field("date")


def _count_days(entry: AtomWithReads, today: date) -> int:
    """Return the days since an atom came into the tree; 0 if that is unknown."""
    arrived = parse_arrival_ordinal(entry.atom)
    return today.toordinal() - arrived if arrived else 0


def _start_of_day(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
