"""What a walk through the pages of a project can ask of the tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class KnownAtom(NamedTuple):
    """An atom that is there: its file, its date, whether it stands, and what it is.

    `decides` tells that it is a decision.
    """

    path: str
    date: str = ""
    is_current: bool = True
    is_decision: bool = False


@dataclass(frozen=True, slots=True)
class ProjectView:
    """One project and the tree around it; `read` gives None for what cannot be read.

    `atoms` are those of all projects by their full refs, `holds` tells whether a file is there.
    """

    project: str
    read_page: Callable[[str], str | None]
    has_file: Callable[[str], bool]
    atoms: Mapping[str, KnownAtom]

    @property
    def start_page(self) -> str:
        """Where a session begins."""
        return f"projects/{self.project}/CORTEX.md"

    def find_atom(self, cited: str) -> KnownAtom | None:
        """Give what a ref means here."""
        return self.atoms.get(cited if "/" in cited else f"{self.project}/{cited}")

    def project_atoms(self) -> dict[str, KnownAtom]:
        """Give the project's own atoms by ref."""
        prefix = f"{self.project}/"
        return {ref: known for ref, known in self.atoms.items() if ref.startswith(prefix)}
