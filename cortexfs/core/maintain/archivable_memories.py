"""Memories that are old and of little importance: maintenance may archive them."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.indexes.atom_with_reads import parse_arrival_ordinal
from cortexfs.core.maintain.project_atoms import is_active, list_tags
from cortexfs.core.maintain.unread_atoms import STALE_DAYS
from cortexfs.core.memory.decay import compute_decayed_importance, is_lasting
from cortexfs.core.memory.memory_record import number_from_id

if TYPE_CHECKING:
    from datetime import date

    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.core.maintain.project_atoms import ProjectAtoms

PINNED_TAG = "pinned"
"""The tag of a memory that is never archived by rule."""


class ArchivableMemory(NamedTuple):
    """A memory that may be archived: its age in days, and its decayed importance."""

    ref: str
    path: str
    days: int
    importance: float


def find_archivable_memories(project: ProjectAtoms, today: date) -> list[ArchivableMemory]:
    """Return the memories to which the rule of the tree applies, oldest first.

    Never an identity or a decision, a pinned one, one that another atom or a governance file cites,
    or one to which another memory is related; and none before reads of the project have been
    logged for more than `STALE_DAYS`. The age of an imported memory counts from its import. Raises
    `ValueError` for a negative minimum age.
    """
    if project.prune_rule.min_age_days < 0:
        raise ValueError(f"minimum age of {project.prune_rule.min_age_days} days")
    if (
        not project.reads_logged_since
        or today.toordinal() - project.reads_logged_since <= STALE_DAYS
    ):
        return []
    found = (
        ArchivableMemory(str(entry.atom.ref), entry.atom.path, days, importance)
        for entry in project.entries
        if _is_candidate(project, entry)
        and (days := _count_days(entry, today)) > project.prune_rule.min_age_days
        and (importance := _compute_importance(project, entry, today)) < project.prune_rule.below
    )
    return sorted(found, key=lambda each: (-each.days, each.ref))


def _is_candidate(project: ProjectAtoms, entry: AtomWithReads) -> bool:
    """Return whether an atom is a current memory that is not exempt from the rule."""
    kind, atom = project.find_kind(entry), entry.atom
    return (
        kind.is_memory
        and kind.indexed
        and is_active(entry)
        and not atom.text_field("deleted-at")
        and not is_lasting(atom.text_field("type"), atom.text_field("scope"))
        and PINNED_TAG not in list_tags(entry)
        and atom.ref not in project.linked_refs
        and not project.relations_to.get(number_from_id(entry.ident))
        and not project.is_anti_pattern(entry)
    )


def _compute_importance(project: ProjectAtoms, entry: AtomWithReads, today: date) -> float:
    atom = entry.atom
    created = atom.text_field("created") or atom.text_field("date")
    return compute_decayed_importance(
        atom.text_field("type"),
        atom.text_field("scope"),
        max(created, atom.text_field("last-seen")),
        entry.reads.last_read,
        datetime.combine(today, time.max, UTC),
        project.prune_rule.decay_per_day,
    )


def _count_days(entry: AtomWithReads, today: date) -> int:
    """Return the days since an atom came into the tree; 0 if that is unknown."""
    arrived = parse_arrival_ordinal(entry.atom)
    return today.toordinal() - arrived if arrived else 0
