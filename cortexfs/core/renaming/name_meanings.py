"""New refs and paths of renamed atoms, and what names refer to before and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.find.extract_links import WIKI_LINK, list_wiki_names, normalize_wiki_name
from cortexfs.core.graph.resolve_links import (
    LinkedAtom,
    NameLookup,
    RawLink,
    list_candidate_names,
    resolve_link,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom


class RenamedPaths(NamedTuple):
    """The paths of renamed files, and of a renamed folder (empty: none)."""

    files: Collection[str]
    folder: str = ""

    def contains(self, path: str) -> bool:
        """Return whether a path below the root is renamed."""
        is_below = path == self.folder or path.startswith(f"{self.folder}/")
        return path in self.files or bool(self.folder and is_below)


@dataclass(frozen=True, slots=True)
class Renaming:
    """Old refs and paths with the new ones; `projects` are the old and the new name, or empty."""

    refs: Mapping[str, str]
    paths: Mapping[str, str]
    projects: tuple[str, str] = ("", "")

    def new_ref(self, ref: str) -> str:
        """Return the new ref of an atom; the same if it is not renamed."""
        return self.refs.get(ref) or self._rename_in_project(ref, "")

    def new_path(self, path: str) -> str:
        """Return the new path of a file or folder; the same if it is not renamed."""
        return self.paths.get(path) or self._rename_in_project(path, "projects/")

    def new_name(self, target: str) -> str:
        """Return the new ref or path."""
        return self.new_path(target) if self.new_path(target) != target else self.new_ref(target)

    def is_renamed(self, target: str) -> bool:
        """Return whether a ref or a path changes."""
        return self.new_name(target) != target

    @property
    def old_paths(self) -> RenamedPaths:
        """The paths that change."""
        return RenamedPaths(self.paths.keys(), self._project_folder(self.projects[0]))

    @property
    def new_paths(self) -> RenamedPaths:
        """The new paths."""
        return RenamedPaths(frozenset(self.paths.values()), self._project_folder(self.projects[1]))

    @staticmethod
    def _project_folder(project: str) -> str:
        return f"projects/{project}" if project else ""

    def _rename_in_project(self, name: str, above: str) -> str:
        old, new = (f"{above}{project}" for project in self.projects)
        if self.projects[0] and (name == old or name.startswith(f"{old}/")):
            return f"{new}{name[len(old) :]}"
        return name


class NamedAtom(NamedTuple):
    """An atom, and the names by which a wiki link may mean it."""

    ref: Ref
    path: str
    names: Collection[str]


class KnownNames(Protocol):
    """The refs, paths and names of the atoms of a tree, wherever they are kept."""

    def has_ref(self, ref: str) -> bool:
        """Return whether an atom has this ref."""

    def find_path(self, ref: str) -> str:
        """Return the path of the first atom with a ref; empty if there is none."""

    def find_ref(self, path: str) -> str:
        """Return the ref of the atom at a path; empty if there is none."""

    def list_by_name(self, name: str) -> Sequence[tuple[Ref, str]]:
        """Return ref and path of each atom with a name for wiki links."""


@dataclass(frozen=True, slots=True)
class NameMeanings:
    """What names refer to: the existing refs, and the names for wiki links."""

    known: KnownNames

    def resolve_ref(self, cited: str, project: str) -> str | None:
        """Return the atom that a ref in a project refers to; None if there is none."""
        full = f"{project}/{cited}" if project and "/" not in cited else cited
        return next((ref for ref in (full, cited) if self.known.has_ref(ref)), None)

    def find_path(self, ref: str) -> str:
        """Return the path of an atom; empty if it does not exist."""
        return self.known.find_path(ref)

    def to_ref(self, target: str) -> str:
        """Return the ref of the atom at a path; other names are returned as they are."""
        return self.known.find_ref(target) or target

    def has_wiki_name(self, name: str) -> bool:
        """Return whether an atom has a name, compared as a whole even with a slash."""
        return bool(self.known.list_by_name(normalize_wiki_name(name)))

    def resolve_wiki_name(self, name: str, project: str) -> str | None:
        """Return the atom that a wiki link refers to, or None."""
        source = Ref(f"{project}/x" if project else "x")
        written = RawLink(source, WIKI_LINK, normalize_wiki_name(name), 0)
        nodes = {
            candidate: [LinkedAtom(*found) for found in self.known.list_by_name(candidate)]
            for candidate in list_candidate_names(written)
        }
        return resolve_link(
            written, NameLookup((), {each: found for each, found in nodes.items() if found})
        )


def iter_names_before(atoms: Iterable[Atom]) -> Iterator[NamedAtom]:
    """Yield the names of atoms before the renaming."""
    return (NamedAtom(atom.ref, atom.path, list_wiki_names(atom)) for atom in atoms)


def iter_names_after(
    atoms: Iterable[Atom], renaming: Renaming, moved: Collection[str]
) -> Iterator[NamedAtom]:
    """Yield the names of atoms afterwards; `moved` are the paths of atoms with a new ref."""
    for atom in atoms:
        renamed = atom
        if atom.path in moved:
            path = renaming.new_path(atom.path)
            renamed = atom._replace(ref=Ref(renaming.new_ref(atom.ref)), path=path)
        yield NamedAtom(renamed.ref, renamed.path, list_wiki_names(renamed))
