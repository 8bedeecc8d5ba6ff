"""Everything that maintenance finds in a project, and the statuses that follow from rules alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.maintain.archivable_memories import (
    ArchivableMemory,
    find_archivable_memories,
)
from cortexfs.core.maintain.contradicted_experiments import (
    ContradictedExperiment,
    find_contradicted_experiments,
)
from cortexfs.core.maintain.experiment_clusters import (
    Cluster,
    find_link_clusters,
    find_tag_clusters,
)
from cortexfs.core.maintain.project_atoms import is_unmarked
from cortexfs.core.maintain.similar_atoms import SimilarAtoms, find_similar_atoms
from cortexfs.core.maintain.successor_chains import find_successor_chains
from cortexfs.core.maintain.unread_atoms import (
    STALE_DAYS,
    UnreadAtom,
    find_cold_atoms,
    find_unread_atoms,
)
from cortexfs.core.maintain.unsupported_claims import (
    Severity,
    UnsupportedClaim,
    find_unsupported_claims,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from cortexfs.core.maintain.project_atoms import ProjectAtoms


MAX_ARCHIVED = 500
"""Maximum number of memories of a project that are archived at once."""


class MaintenanceReport(NamedTuple):
    """What one project needs, most urgent first.

    `logged_days` is the number of days for which reads are known to be logged. Below `STALE_DAYS`,
    the lack of reads of an atom means nothing.
    """

    project: str
    unsupported_claims: list[UnsupportedClaim]
    refuted_experiments: list[ContradictedExperiment]
    unread_atoms: list[UnreadAtom]
    tag_clusters: list[Cluster]
    link_clusters: list[Cluster]
    successor_chains: list[tuple[str, ...]]
    cold_refs: list[str]
    archivable_memories: list[ArchivableMemory]
    similar_atoms: list[SimilarAtoms]
    logged_days: int

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found."""
        return not any(self[1:-1])


class ProposedStatus(NamedTuple):
    """A status that follows from a rule alone, and the reason."""

    ref: str
    path: str
    status: str
    why: str
    is_archival: bool = False
    """Whether it archives a memory: the time of its deletion is written too."""


def build_maintenance_report(project: ProjectAtoms, today: date) -> MaintenanceReport:
    """Return everything that one project needs."""
    return MaintenanceReport(
        project.name,
        find_unsupported_claims(project),
        find_contradicted_experiments(project),
        find_unread_atoms(project, today),
        find_tag_clusters(project),
        find_link_clusters(project),
        find_successor_chains(project),
        find_cold_atoms(project, today),
        find_archivable_memories(project, today),
        find_similar_atoms(project),
        today.toordinal() - project.reads_logged_since if project.reads_logged_since else 0,
    )


def propose_statuses(project: ProjectAtoms, report: MaintenanceReport) -> list[ProposedStatus]:
    """Return the statuses that need no judgement.

    `challenged` for a claim that must cite its evidence, if all of it was refuted or replaced; the
    cause is the atom that did it. `stale` for an old atom without reads and without links to it,
    if reads have been logged for long enough. A memory that may be archived becomes `stale` too;
    of those, the `MAX_ARCHIVED` oldest.
    """
    return [
        *_propose_challenged(project, report),
        *_propose_stale(report),
        *_propose_archived(report),
    ]


def _propose_challenged(
    project: ProjectAtoms, report: MaintenanceReport
) -> Iterator[ProposedStatus]:
    for claim in report.unsupported_claims:
        entry = project.all_entries[claim.ref]
        is_unsupported = claim.severity is Severity.ALL and claim.by and is_unmarked(entry)
        if is_unsupported and project.is_claim(entry):
            by = claim.by.removeprefix(f"{project.name}/")
            why = f"all its evidence was refuted or replaced: {', '.join(claim.unreliable_refs)}"
            yield ProposedStatus(claim.ref, claim.path, f"challenged:{by}", why)


def _propose_stale(report: MaintenanceReport) -> Iterator[ProposedStatus]:
    if report.logged_days > STALE_DAYS:
        for atom in report.unread_atoms:
            if atom.is_unlinked:
                why = f"{atom.days} days old, never read, nothing links to it"
                yield ProposedStatus(atom.ref, atom.path, "stale", why)


def _propose_archived(report: MaintenanceReport) -> Iterator[ProposedStatus]:
    for memory in report.archivable_memories[:MAX_ARCHIVED]:
        why = f"{memory.days} days old, its importance is {memory.importance:.2f}"
        yield ProposedStatus(memory.ref, memory.path, "stale", why, is_archival=True)
