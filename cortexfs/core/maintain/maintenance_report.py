"""Everything that maintenance finds in a project, and the statuses that follow from rules alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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


def build_maintenance_report(study: ProjectAtoms, today: date) -> MaintenanceReport:
    """Search one project for everything."""
    return MaintenanceReport(
        study.project,
        find_unsupported_claims(study),
        find_contradicted_experiments(study),
        find_unread_atoms(study, today),
        find_tag_clusters(study),
        find_link_clusters(study),
        find_successor_chains(study),
        find_cold_atoms(study, today),
        today.toordinal() - study.reads_logged_since if study.reads_logged_since else 0,
    )


def propose_statuses(study: ProjectAtoms, found: MaintenanceReport) -> list[ProposedStatus]:
    """Return the statuses that need no judgement.

    `challenged` for a claim that must cite its evidence, if all of it was refuted or replaced; the
    cause is the atom that did it. `unread_atoms` for an old atom without reads and without links
    to it, if
    reads have been logged for long enough.
    """
    return [*_challenged(study, found), *_stale(found)]


def _challenged(study: ProjectAtoms, found: MaintenanceReport) -> Iterator[ProposedStatus]:
    for one in found.unsupported_claims:
        entry = study.all_entries[one.ref]
        fell = one.severity is Severity.ALL and one.by and is_unmarked(entry)
        if fell and study.is_claim(entry):
            by = one.by.removeprefix(f"{study.project}/")
            why = f"all that it rests on has fallen: {', '.join(one.fallen)}"
            yield ProposedStatus(one.ref, one.path, f"challenged:{by}", why)


def _stale(found: MaintenanceReport) -> Iterator[ProposedStatus]:
    if found.logged_days > STALE_DAYS:
        for one in found.unread_atoms:
            if one.alone:
                why = f"{one.days} days old, never looked at, named nowhere"
                yield ProposedStatus(one.ref, one.path, "stale", why)
