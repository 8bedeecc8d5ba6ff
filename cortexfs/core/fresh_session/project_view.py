"""The access to the tree that a walk through a project's pages needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


class KnownAtom(NamedTuple):
    """An existing atom: its path, whether it is current, and whether it is a decision."""

    path: str
    is_current: bool = True
    is_decision: bool = False


class KnownAtoms(Protocol):
    """The atoms of a tree, as a walk asks for them: it needs few of many."""

    def find(self, ref: str) -> KnownAtom | None:
        """Return the atom with a full ref."""

    def list_decisions(self, project: str) -> Sequence[KnownAtom]:
        """Return the decisions of a project in path order."""

    def find_newest(self, project: str) -> tuple[str, str]:
        """Return the latest date of an atom of a project, and its ref; empty without one."""

    def tell_decisions(self, paths: Iterable[str]) -> Mapping[str, bool]:
        """Return which of some paths are atoms, each with whether it is a decision."""


@dataclass(frozen=True, slots=True)
class ProjectView:
    """One project and its tree.

    `read_page` returns the text of a page, or None if it is unreadable; `has_file` whether a file
    exists.
    """

    project: str
    read_page: Callable[[str], str | None]
    has_file: Callable[[str], bool]
    atoms: KnownAtoms

    @property
    def start_page(self) -> str:
        """The page at which a session begins."""
        return f"projects/{self.project}/CORTEX.md"

    def find_atom(self, cited: str) -> KnownAtom | None:
        """Return the atom that a ref means in this project, or None."""
        return self.atoms.find(cited if "/" in cited else f"{self.project}/{cited}")

    def list_decisions(self) -> Sequence[KnownAtom]:
        """Return the project's own decisions."""
        return self.atoms.list_decisions(self.project)
