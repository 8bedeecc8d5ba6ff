"""Claims that depend on atoms which are no longer current."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.evidence_refs import list_evidence_refs
from cortexfs.core.atoms.reviewed_field import is_reviewed_since_change
from cortexfs.core.maintain.project_atoms import is_active

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.core.maintain.project_atoms import ProjectAtoms

UNRELIABLE_STATUSES = ("superseded", "deprecated", "invalidated")
"""Statuses of atoms that no claim should depend on; a refined or stale atom may still hold."""


class Severity(StrEnum):
    """Whether all of the evidence of a claim is affected, or a part."""

    ALL = "all-compromised"
    PARTIAL = "partial"


class UnsupportedClaim(NamedTuple):
    """A claim, its evidence that was refuted or replaced, its valid evidence, and the cause.

    `by` is the full ref of the cause in the status of unreliable evidence; empty if there is none,
    or if the cause is itself no longer current.
    """

    ref: str
    path: str
    status: str
    severity: Severity
    unreliable_refs: tuple[str, ...]
    valid_refs: tuple[str, ...]
    by: str


def find_unsupported_claims(project: ProjectAtoms) -> list[UnsupportedClaim]:
    """Return the unsupported claims, those without any valid evidence first.

    Refs without an atom are left to `check`. Anti-patterns, whose evidence is what failed, and
    claims that were reviewed since are left out.
    """
    claims = (e for e in project.entries if is_active(e) and not project.is_anti_pattern(e))
    found = [claim for entry in claims for claim in _examine_claim(project, entry)]
    return sorted(found, key=lambda c: (c.severity is Severity.PARTIAL, c.ref))


def _examine_claim(project: ProjectAtoms, entry: AtomWithReads) -> Iterator[UnsupportedClaim]:
    """Yield the claim if some of its evidence is unreliable."""
    valid: list[str] = []
    unreliable: list[AtomWithReads] = []
    for evidence in _find_evidence(project, entry):
        if evidence.status.word in UNRELIABLE_STATUSES and not is_reviewed_since_change(
            entry.atom, evidence.atom, project.find_atom
        ):
            unreliable.append(evidence)
        else:
            valid.append(str(evidence.atom.ref))
    if unreliable:
        yield UnsupportedClaim(
            str(entry.atom.ref),
            entry.atom.path,
            str(entry.status),
            Severity.PARTIAL if valid else Severity.ALL,
            tuple(str(evidence.atom.ref) for evidence in unreliable),
            tuple(valid),
            _find_cause(project, unreliable),
        )


def _find_evidence(project: ProjectAtoms, entry: AtomWithReads) -> list[AtomWithReads]:
    """Return the atoms that an atom depends on, without duplicates."""
    found = (
        project.find_entry(cited, entry.atom.project) for cited, _ in list_evidence_refs(entry.atom)
    )
    return list({each.atom.path: each for each in found if each}.values())


def _find_cause(project: ProjectAtoms, unreliable: Iterable[AtomWithReads]) -> str:
    """Return the full ref of the first cause that is current; empty if there is none."""
    causes = (project.find_entry(each.status.cause, each.atom.project) for each in unreliable)
    return next((str(cause.atom.ref) for cause in causes if cause and is_active(cause)), "")
