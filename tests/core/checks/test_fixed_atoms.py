"""Atoms with fixes: the same as if the fixed atoms were all that the tree has."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.atom import Atom, Ref
from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.checks.check_atoms import LoadedAtoms, find_atom_findings
from cortexfs.core.checks.fixed_atoms import FixedAtoms

KINDS = Kinds()
_IDENTS = st.sampled_from(["K-001", "K-002", "K-003"])
_TREES = st.lists(st.tuples(_IDENTS, _IDENTS, st.booleans(), st.booleans()), max_size=5)


def _make_atom(number: int, ident: str, cited: str, *, is_superseded: bool) -> Atom:
    status = f"superseded:{cited}" if is_superseded else "valid"
    fields = {"id": ident, "status": status, "evidence": (cited,)}
    path = f"projects/p/knowledge/{number}.md"
    return Atom(path, "knowledge", Ref(f"p/{ident}"), "p", fields, cited_refs=((cited, 3),))


@given(_TREES, st.data())
def test_the_findings_are_those_of_the_fixed_atoms_alone(
    tree: list[tuple[str, str, bool, bool]], data: st.DataObject
) -> None:
    atoms = [_make_atom(n, a, b, is_superseded=c) for n, (a, b, c, _) in enumerate(tree)]
    fixed = {
        atom.path: _make_atom(n, data.draw(_IDENTS), data.draw(_IDENTS), is_superseded=False)
        for n, atom in enumerate(atoms)
        if tree[n][3]
    }
    every = [fixed.get(atom.path, atom) for atom in atoms]
    known = FixedAtoms.from_atoms(LoadedAtoms.from_atoms(atoms), list(fixed.values()))
    assert list(known) == list(known.iter_kinds({"knowledge"})) == every
    alone = LoadedAtoms.from_atoms(every)
    assert {*find_atom_findings(known, KINDS)} == {*find_atom_findings(alone, KINDS)}
