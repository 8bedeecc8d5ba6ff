"""New refs and paths of renamed atoms, and what names refer to before and after."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.find.extract_links import WIKI_LINK, list_wiki_names, to_wiki_name
from cortexfs.core.graph.resolve_links import GraphNode, NameLookup, RawLink, resolve_link
from cortexfs.core.renaming.renamed_paths import Renamed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from cortexfs.core.atoms.atom import Atom


@dataclass(frozen=True, slots=True)
class Renaming:
    """Old refs and paths with the new ones; `projects` are the old and the new name, or empty."""

    refs: Mapping[str, str]
    paths: Mapping[str, str]
    projects: tuple[str, str] = ("", "")

    def ref(self, ref: str) -> str:
        """Return the new ref of an atom; the same if it is not renamed."""
        return self.refs.get(ref) or self._in_project(ref, "")

    def path(self, path: str) -> str:
        """Return the new path of a file or folder; the same if it is not renamed."""
        return self.paths.get(path) or self._in_project(path, "projects/")

    def any(self, means: str) -> str:
        """Return the new ref or path."""
        return self.path(means) if self.path(means) != means else self.ref(means)

    def is_renamed(self, means: str) -> bool:
        """Return whether a ref or a path changes."""
        return self.any(means) != means

    @property
    def old_paths(self) -> Renamed:
        """The paths that change."""
        return Renamed(self.paths.keys(), self._folder(self.projects[0]))

    @property
    def new_paths(self) -> Renamed:
        """The new paths."""
        return Renamed(frozenset(self.paths.values()), self._folder(self.projects[1]))

    @staticmethod
    def _folder(project: str) -> str:
        return f"projects/{project}" if project else ""

    def _in_project(self, name: str, above: str) -> str:
        old, new = (f"{above}{project}" for project in self.projects)
        if self.projects[0] and (name == old or name.startswith(f"{old}/")):
            return f"{new}{name[len(old) :]}"
        return name


@dataclass(slots=True)
class NameMeanings:
    """What names refer to: the existing refs, and the names for wiki links."""

    refs: Collection[str]
    atoms: Collection[tuple[Ref, str, frozenset[str]]]
    _bearers: dict[str, list[GraphNode]] = field(default_factory=dict)
    _refs: dict[str, str] = field(default_factory=dict)

    def means(self, cited: str, project: str) -> str | None:
        """Return the atom that a ref in a project refers to; None if there is none."""
        full = f"{project}/{cited}" if project and "/" not in cited else cited
        return next((ref for ref in (full, cited) if ref in self.refs), None)

    def path_of(self, ref: str) -> str:
        """Return the path of an atom; empty if it does not exist."""
        return next((path for each, path, _ in self.atoms if each == ref), "")

    def named(self, means: str) -> str:
        """Return the ref of the atom at a path; other names are returned as they are."""
        if not self._refs:
            self._refs = {path: ref for ref, path, _ in self.atoms}
        return self._refs.get(means, means)

    def bears(self, name: str) -> bool:
        """Return whether an atom has a name, compared as a whole even with a slash."""
        return to_wiki_name(name) in self._bearing()

    def wiki_means(self, name: str, project: str) -> str | None:
        """Return the atom that a wiki link refers to, or None."""
        source = Ref(f"{project}/x" if project else "x")
        return resolve_link(
            RawLink(source, WIKI_LINK, to_wiki_name(name), 0), NameLookup((), self._bearing())
        )

    def _bearing(self) -> dict[str, list[GraphNode]]:
        if not self._bearers:
            for ref, path, borne in self.atoms:
                for name in borne:
                    self._bearers.setdefault(name, []).append(GraphNode(ref, path))
        return self._bearers


def name_meanings_before(atoms: Iterable[Atom]) -> NameMeanings:
    """Return what names refer to before the renaming."""
    every = tuple(atoms)
    known = tuple((atom.ref, atom.path, frozenset(list_wiki_names(atom))) for atom in every)
    return NameMeanings(frozenset(atom.ref for atom in every), known)


def name_meanings_after(
    atoms: Iterable[Atom], renaming: Renaming, moved: Collection[str]
) -> NameMeanings:
    """Return what names refer to afterwards; `moved` are the paths of atoms with a new ref."""
    known = []
    for atom in atoms:
        there = atom
        if atom.path in moved:
            path = renaming.path(atom.path)
            there = atom._replace(ref=Ref(renaming.ref(atom.ref)), path=path)
        known.append((there.ref, there.path, frozenset(list_wiki_names(there))))
    return NameMeanings(frozenset(ref for ref, _, _ in known), tuple(known))
