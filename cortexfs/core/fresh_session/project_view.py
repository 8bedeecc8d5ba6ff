"""The access to the tree that a walk through a project's pages needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class KnownAtom(NamedTuple):
    """An existing atom: its path and date, whether it is current, and whether it is a decision."""

    path: str
    date: str = ""
    is_current: bool = True
    is_decision: bool = False


@dataclass(frozen=True, slots=True)
class ProjectView:
    """One project and its tree.

    `read_page` returns the text of a page, or None if it is unreadable. `atoms` has the atoms of
    all projects by full ref; `has_file` returns whether a file exists.
    """

    project: str
    read_page: Callable[[str], str | None]
    has_file: Callable[[str], bool]
    atoms: Mapping[str, KnownAtom]

    @property
    def start_page(self) -> str:
        """The page at which a session begins."""
        return f"projects/{self.project}/CORTEX.md"

    def find_atom(self, cited: str) -> KnownAtom | None:
        """Return the atom that a ref means in this project, or None."""
        return self.atoms.get(cited if "/" in cited else f"{self.project}/{cited}")

    def project_atoms(self) -> dict[str, KnownAtom]:
        """Return the project's own atoms by ref."""
        prefix = f"{self.project}/"
        return {ref: atom for ref, atom in self.atoms.items() if ref.startswith(prefix)}
