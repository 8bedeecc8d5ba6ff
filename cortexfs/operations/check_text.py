"""Find what would be wrong with an atom if it had another text; nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.refs import list_candidate_refs
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.core.checks.text_findings import examine_atom
from cortexfs.core.guards.check_with_cited_atoms import check_with_neighbours
from cortexfs.errors import OutsideTree

if TYPE_CHECKING:
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


def check_text(session: Session, path: str, text: str) -> list[Flaw]:
    """Return the flaws that a text would have at the path of an atom, in the order of lines.

    Raises `OutsideTree` if no atom can have that path.
    """
    with session.read() as view:
        return find_text_flaws(view, path, text)


def find_text_flaws(view: View, path: str, text: str) -> list[Flaw]:
    """Return the flaws of an atom's text, with those of its refs, in the order of lines."""
    where = parse_atom_path(path, view.kinds)
    if where is None:
        raise OutsideTree(f"{path!a} cannot be the path of an atom")
    atom = parse_atom(path, where, text)
    wanted = {
        ref for cited, _ in atom.cited_refs for ref in list_candidate_refs(cited, atom.project)
    }
    found = check_with_neighbours(atom, view.stored_atoms.list_by_refs(wanted), view.kinds)
    flaws = {Flaw(*finding[1:]) for finding in found}
    flaws |= set(examine_atom(text).flaws)
    return sorted(flaws, key=lambda each: (each.line, each.code, each.message))
