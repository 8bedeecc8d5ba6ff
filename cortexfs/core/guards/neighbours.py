"""Which files an atom must be seen beside, so that what is wrong between them is found."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import folder_of
from cortexfs.core.checks.check_atoms import check

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.atoms.atom import Atom, Finding
    from cortexfs.core.atoms.kinds import Kind, Kinds

MOST = 100
"""So many of the refs that an atom names are looked at: somebody waits for it."""


class Sought(NamedTuple):
    """Where an atom would stand: its folder, and the id that its file's name claims."""

    folder: str
    kind: Kind
    ident: str


def bounded(atom: Atom) -> Atom:
    """Give an atom with no more cites than are looked at."""
    refs = dict.fromkeys(cited for cited, _ in atom.cites)
    kept = set(list(refs)[:MOST])
    return atom._replace(cites=tuple(cite for cite in atom.cites if cite[0] in kept))


def sought(atom: Atom, kinds: Kinds) -> Iterator[Sought]:
    """Tell where what an atom names would stand, and where another of its own id would."""
    for ref in dict.fromkeys((atom.ref, *(cited for cited, _ in atom.cites))):
        project, within, ident = ref.rpartition("/")
        kind = kinds.of_id(ident)
        for place in (project,) if within else dict.fromkeys((atom.project, "")):
            if kind and ("project" if place else "root") in kind.scopes:
                yield Sought(folder_of(place, kind), kind, ident)


def findings_beside(atom: Atom, others: Sequence[Atom], kinds: Kinds) -> list[Finding]:
    """Give what is wrong with an atom, by itself and beside those that it names."""
    others = [other for other in others if other.path != atom.path]
    return [found for found in check([*others, atom], kinds) if found.path == atom.path]
