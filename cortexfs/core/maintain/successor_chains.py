"""Chains of atoms that each were superseded or refined by the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.refs import find_ref

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.core.maintain.inputs import Study

LEAST = 3
"""Atoms that make a chain."""
LONGEST = 20
"""A chain is followed no further: nobody reads on."""
HEIRS = ("superseded", "refined", "deprecated")
"""Statuses whose cause is the atom that came after."""


def supersede_chains(study: Study) -> list[tuple[str, ...]]:
    """Give each chain from its oldest atom on, longest first; a circle ends where it closes."""
    heirs = {
        str(entry.atom.ref): heir
        for entry in study.entries
        if entry.status.word in HEIRS
        and (heir := find_ref(entry.status.cause, study.project, study.tree))
    }
    roots = heirs.keys() - set(heirs.values())
    chains = (tuple(_follow(root, heirs, study)) for root in sorted(roots))
    return sorted((c for c in chains if len(c) >= LEAST), key=lambda c: (-len(c), c))


def _follow(ref: str, heirs: Mapping[str, str], study: Study) -> Iterator[str]:
    seen: set[str] = set()
    while ref in study.tree and ref not in seen and len(seen) < LONGEST:
        yield ref
        seen.add(ref)
        ref = heirs.get(ref, "")
