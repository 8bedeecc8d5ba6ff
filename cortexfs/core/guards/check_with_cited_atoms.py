"""The atoms that are read together with one atom to check it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.checks.check_atoms import check_atoms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.atoms.atom import Atom, Finding
    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.atoms.kinds import Kinds

MAX_REFS = 100
"""Maximum number of refs of one atom that are looked up, because the agent waits."""


class AtomPlace(NamedTuple):
    """The place of an atom, which may not exist: its folder, its kind and its id."""

    folder: str
    kind: Kind
    ident: str


def limit_refs(atom: Atom) -> Atom:
    """Return the atom with at most `MAX_REFS` refs."""
    refs = dict.fromkeys(cited for cited, _ in atom.cited_refs)
    kept = set(list(refs)[:MAX_REFS])
    return atom._replace(cited_refs=tuple(cite for cite in atom.cited_refs if cite[0] in kept))


def list_neighbour_places(atom: Atom, kinds: Kinds) -> Iterator[AtomPlace]:
    """Yield the places of the atoms that an atom cites, and of others with the same id."""
    for ref in dict.fromkeys((atom.ref, *(cited for cited, _ in atom.cited_refs))):
        project, slash, ident = ref.rpartition("/")
        kind = kinds.find_by_id(ident)
        for place in (project,) if slash else dict.fromkeys((atom.project, "")):
            if kind and ("project" if place else "root") in kind.scopes:
                yield AtomPlace(kind_folder(place, kind), kind, ident)


def check_with_neighbours(atom: Atom, others: Sequence[Atom], kinds: Kinds) -> list[Finding]:
    """Return the findings of an atom, by itself and together with the atoms that it cites."""
    others = [other for other in others if other.path != atom.path]
    return [found for found in check_atoms([*others, atom], kinds) if found.path == atom.path]
