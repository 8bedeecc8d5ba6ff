"""Chains of atoms, each superseded or refined by the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.refs import find_ref

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.core.maintain.project_atoms import ProjectAtoms

MIN_CHAIN_LENGTH = 3
"""Minimum number of atoms in a chain."""
MAX_CHAIN_LENGTH = 20
"""Maximum number of atoms in a chain."""
SUCCESSOR_STATUSES = ("superseded", "refined", "deprecated")
"""Statuses whose cause is the successor of the atom."""


def find_successor_chains(project: ProjectAtoms) -> list[tuple[str, ...]]:
    """Return each chain from its oldest atom, longest first; a cycle ends where it closes."""
    successors = {
        str(entry.atom.ref): successor
        for entry in project.entries
        if entry.status.word in SUCCESSOR_STATUSES
        and (successor := find_ref(entry.status.cause, project.name, project.all_entries))
    }
    roots = successors.keys() - set(successors.values())
    chains = (tuple(_walk_chain(root, successors, project)) for root in sorted(roots))
    return sorted((c for c in chains if len(c) >= MIN_CHAIN_LENGTH), key=lambda c: (-len(c), c))


def _walk_chain(ref: str, successors: Mapping[str, str], project: ProjectAtoms) -> Iterator[str]:
    seen: set[str] = set()
    while ref in project.all_entries and ref not in seen and len(seen) < MAX_CHAIN_LENGTH:
        yield ref
        seen.add(ref)
        ref = successors.get(ref, "")
