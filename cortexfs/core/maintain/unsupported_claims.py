"""Claims that rest on atoms which no longer stand."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.evidence_refs import list_evidence_refs
from cortexfs.core.atoms.reviews import is_reviewed_since_change
from cortexfs.core.maintain.project_atoms import is_active

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cortexfs.core.indexes.index_entry import IndexEntry
    from cortexfs.core.maintain.project_atoms import ProjectAtoms

UNRELIABLE_STATUSES = ("superseded", "deprecated", "invalidated")
"""Statuses of what nobody should rest on; a refined atom still holds, a stale one may."""


class Severity(StrEnum):
    """How much of what a claim rests on has fallen."""

    ALL = "all-compromised"
    PARTIAL = "partial"


class UnsupportedClaim(NamedTuple):
    """A claim, what of its ground has fallen and what stands, and who brought it down.

    `by` is what the status of a fallen one names as its cause, in full; empty where that is
    nothing, or has fallen too.
    """

    ref: str
    path: str
    status: str
    severity: Severity
    fallen: tuple[str, ...]
    standing: tuple[str, ...]
    by: str


def find_unsupported_claims(study: ProjectAtoms) -> list[UnsupportedClaim]:
    """Find them, the wholly compromised first; refs that name nothing are left to `check`.

    Left out are anti-patterns, which rest on what failed, and what was reviewed since.
    """
    claims = (e for e in study.entries if is_active(e) and not study.is_anti_pattern(e))
    found = [one for entry in claims for one in _of(study, entry)]
    return sorted(found, key=lambda c: (c.severity is Severity.PARTIAL, c.ref))


def _of(study: ProjectAtoms, entry: IndexEntry) -> Iterator[UnsupportedClaim]:
    named = _grounds(study, entry)
    fallen = [
        ground
        for ground in named
        if ground.status.word in UNRELIABLE_STATUSES
        and not is_reviewed_since_change(entry.atom, ground.atom, study.find_atom)
    ]
    if fallen:
        left = tuple(str(ground.atom.ref) for ground in named if ground not in fallen)
        yield UnsupportedClaim(
            str(entry.atom.ref),
            entry.atom.path,
            str(entry.status),
            Severity.PARTIAL if left else Severity.ALL,
            tuple(str(ground.atom.ref) for ground in fallen),
            left,
            _cause(study, fallen),
        )


def _grounds(study: ProjectAtoms, entry: IndexEntry) -> list[IndexEntry]:
    """Give the atoms that one says it rests on, each once."""
    found = (
        study.find_entry(cited, entry.atom.project) for cited, _ in list_evidence_refs(entry.atom)
    )
    return list({each.atom.path: each for each in found if each}.values())


def _cause(study: ProjectAtoms, fallen: Iterable[IndexEntry]) -> str:
    """Name in full what brought one of them down, where its status says so and that stands."""
    named = (study.find_entry(each.status.cause, each.atom.project) for each in fallen)
    return next((str(cause.atom.ref) for cause in named if cause and is_active(cause)), "")
