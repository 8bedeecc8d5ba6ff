"""Tell how much a session that has never seen a project learns from its CORTEX.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.lifecycle import Section, read_status
from cortexfs.core.fresh_session.score import fresh as judge
from cortexfs.core.fresh_session.tree_view import Known, World

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.fresh_session.score import Fresh
    from cortexfs.core.fresh_session.walk import Budget
    from cortexfs.session.session import Session


def fresh(session: Session, projects: Sequence[str] | None, budget: Budget) -> list[Fresh]:
    """Score some projects, or all of them; reads the tree as it stands, and changes nothing."""
    with session.read() as view:
        atoms = {str(atom.ref): _known(atom, view.kinds) for atom in view.facts.atoms()}

        def read(path: str) -> str | None:
            source = view.tree.read(path)
            return None if isinstance(source, Flaw) else source.text

        names = view.tree.projects() if projects is None else projects
        worlds = (World(name, read, view.tree.is_file, atoms) for name in names)
        return [judge(world, budget) for world in worlds]


def _known(atom: Atom, kinds: Kinds) -> Known:
    row = kinds.named(atom.kind)
    return Known(
        atom.path,
        atom.text("date"),
        read_status(atom.text("status")).section is not Section.INVALIDATED,
        decides=row is not None and row.titled,
    )
