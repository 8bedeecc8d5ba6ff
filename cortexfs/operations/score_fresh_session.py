"""Score how much a session that has never seen a project learns from its CORTEX.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.lifecycle import IndexMdSection, parse_atom_status
from cortexfs.core.fresh_session.project_view import KnownAtom, ProjectView
from cortexfs.core.fresh_session.score import score_fresh_session as score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.fresh_session.score import FreshSessionScore
    from cortexfs.core.fresh_session.walk import ReadBudget
    from cortexfs.session.session import Session


def score_fresh_session(
    session: Session, projects: Sequence[str] | None, budget: ReadBudget
) -> list[FreshSessionScore]:
    """Return the scores of some projects, or of all; the tree is only read."""
    with session.read() as view:
        atoms = {str(atom.ref): _to_known_atom(atom, view.kinds) for atom in view.stored_atoms}

        def read(path: str) -> str | None:
            source = view.tree.read_text_or_flaw(path)
            return None if isinstance(source, Flaw) else source.text

        names = view.tree.list_projects() if projects is None else projects
        views = (ProjectView(name, read, view.tree.is_file, atoms) for name in names)
        return [score(view_of_project, budget) for view_of_project in views]


def _to_known_atom(atom: Atom, kinds: Kinds) -> KnownAtom:
    kind = kinds.find_by_name(atom.kind)
    return KnownAtom(
        atom.path,
        atom.text_field("date"),
        parse_atom_status(atom.text_field("status")).section is not IndexMdSection.INVALIDATED,
        is_decision=kind is not None and kind.is_decision,
    )
