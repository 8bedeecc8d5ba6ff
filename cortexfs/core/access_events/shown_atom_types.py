"""The atoms that one tool call showed."""

from __future__ import annotations

from typing import NamedTuple


class AtomFileName(NamedTuple):
    """An atom, identified by its project and file name."""

    project: str
    file: str


class ShownAtoms(NamedTuple):
    """The atoms that were shown, and the projects whose atoms were searched without a match."""

    atoms: frozenset[AtomFileName] = frozenset()
    searched_projects: frozenset[str] = frozenset()

    def __or__(self, other: ShownAtoms) -> ShownAtoms:
        return ShownAtoms(
            self.atoms | other.atoms, self.searched_projects | other.searched_projects
        )
