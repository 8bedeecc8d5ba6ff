"""What a walk through the pages of a project can ask of the tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Known(NamedTuple):
    """An atom that is there: its file, its date, whether it stands, and what it is.

    `decides` tells that it is a decision.
    """

    path: str
    date: str = ""
    stands: bool = True
    decides: bool = False


@dataclass(frozen=True, slots=True)
class World:
    """One project and the tree around it; `read` gives None for what cannot be read.

    `atoms` are those of all projects by their full refs, `holds` tells whether a file is there.
    """

    project: str
    read: Callable[[str], str | None]
    holds: Callable[[str], bool]
    atoms: Mapping[str, Known]

    @property
    def start(self) -> str:
        """Where a session begins."""
        return f"projects/{self.project}/CORTEX.md"

    def atom(self, cited: str) -> Known | None:
        """Give what a ref means here."""
        return self.atoms.get(cited if "/" in cited else f"{self.project}/{cited}")

    def own(self) -> dict[str, Known]:
        """Give the project's own atoms by ref."""
        prefix = f"{self.project}/"
        return {ref: known for ref, known in self.atoms.items() if ref.startswith(prefix)}
