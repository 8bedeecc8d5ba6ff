"""Score how much a session that has never seen a project learns from its CORTEX.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.lifecycle import IndexMdSection, parse_atom_status
from cortexfs.core.fresh_session.project_view import KnownAtom, ProjectView
from cortexfs.core.fresh_session.score import score_fresh_session as score

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.fresh_session.score import FreshSessionScore
    from cortexfs.core.fresh_session.walk import ReadBudget
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


def score_fresh_session(
    session: Session, projects: Sequence[str] | None, budget: ReadBudget
) -> list[FreshSessionScore]:
    """Return the scores of some projects, or of all; the tree is only read."""
    with session.read() as view:

        def read(path: str) -> str | None:
            source = view.tree.read_text_or_flaw(path)
            return None if isinstance(source, Flaw) else source.text

        names = view.tree.list_projects() if projects is None else projects
        atoms = _AtomsOfView(view)
        views = (ProjectView(name, read, view.tree.is_file, atoms) for name in names)
        return [score(view_of_project, budget) for view_of_project in views]


class _AtomsOfView(NamedTuple):
    """The atoms of a view, as a walk asks for them."""

    view: View

    def find(self, ref: str) -> KnownAtom | None:
        """Return the atom with a full ref; the last one of several."""
        found = self.view.stored_atoms.list_by_ref(ref)
        return self._convert(found[-1]) if found else None

    def list_decisions(self, project: str) -> list[KnownAtom]:
        """Return the decisions of a project in path order."""
        kinds = {kind.name for kind in self.view.kinds if kind.is_decision}
        return list(map(self._convert, self.view.stored_atoms.iter_kinds(kinds, project)))

    def find_newest(self, project: str) -> tuple[str, str]:
        """Return the latest date of an atom of a project, and its ref."""
        return self.view.stored_atoms.find_newest(project)

    def tell_decisions(self, paths: Iterable[str]) -> dict[str, bool]:
        """Return which of some paths are atoms, each with whether it is a decision."""
        kinds = self.view.stored_atoms.find_kinds(paths).items()
        return {path: self._is_decision(kind) for path, kind in kinds}

    def _is_decision(self, name: str) -> bool:
        kind = self.view.kinds.find_by_name(name)
        return kind is not None and kind.is_decision

    def _convert(self, atom: Atom) -> KnownAtom:
        status = parse_atom_status(atom.text_field("status"))
        return KnownAtom(
            atom.path,
            status.section is not IndexMdSection.INVALIDATED,
            is_decision=self._is_decision(atom.kind),
        )
