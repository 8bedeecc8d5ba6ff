"""The atoms of a tree as its fixed files would have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortexfs.core.checks.check_atoms import group_by_ref, to_findings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom, Finding, Ref
    from cortexfs.core.checks.check_atoms import KnownAtoms


@dataclass(frozen=True, slots=True)
class FixedAtoms:
    """The atoms of a tree, some of them replaced by the fixed ones at their paths."""

    present: KnownAtoms
    by_path: Mapping[str, Atom]
    by_ref: Mapping[str, Sequence[Atom]]

    @classmethod
    def from_atoms(cls, present: KnownAtoms, fixed: Sequence[Atom]) -> FixedAtoms:
        """Return the atoms of a tree with some of them fixed."""
        return cls(present, {atom.path: atom for atom in fixed}, dict(group_by_ref(fixed)))

    def __iter__(self) -> Iterator[Atom]:
        return (self.by_path.get(atom.path, atom) for atom in self.present)

    def __contains__(self, ref: object) -> bool:
        return bool(self._list_by_ref(str(ref)))

    def __getitem__(self, ref: str) -> Sequence[Atom]:
        if not (found := self._list_by_ref(ref)):
            raise KeyError(ref)
        return found

    def iter_kinds(self, kinds: Collection[str]) -> Iterator[Atom]:
        """Yield the atoms of some kinds in path order; a fix changes no kind."""
        return (self.by_path.get(atom.path, atom) for atom in self.present.iter_kinds(kinds))

    def iter_repeated(self) -> Iterator[Sequence[Atom]]:
        """Yield the atoms of each ref that several have."""
        for atoms in self.present.iter_repeated():
            if atoms[0].ref not in self.by_ref and len(left := self._list_by_ref(atoms[0].ref)) > 1:
                yield left
        for ref in self.by_ref:
            if len(found := self._list_by_ref(ref)) > 1:
                yield found

    def iter_flaws(self) -> Iterator[Finding]:
        """Yield the flaws of single atoms."""
        yield from (each for each in self.present.iter_flaws() if each.path not in self.by_path)
        for atom in self.by_path.values():
            yield from to_findings(atom)

    def iter_refs(self, kinds: Collection[str]) -> Iterator[Ref]:
        """Yield the refs of the atoms of some kinds in path order."""
        return (atom.ref for atom in self.iter_kinds(kinds))

    def iter_doubtful(self) -> Iterator[Atom]:
        """Yield every atom: a fix may change what is current."""
        return iter(self)

    def list_projects(self) -> Collection[str]:
        """Return the projects that have atoms; a fix changes none."""
        return self.present.list_projects()

    def _list_by_ref(self, ref: str) -> Sequence[Atom]:
        kept = []
        if ref in self.present:
            kept = [atom for atom in self.present[ref] if atom.path not in self.by_path]
        if ref not in self.by_ref:
            return kept
        return sorted([*kept, *self.by_ref[ref]], key=lambda atom: atom.path)
