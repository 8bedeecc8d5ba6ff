"""New refs and paths of renamed atoms, and what names refer to before and after."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.find.extract_links import WIKI_LINK, list_wiki_names, normalize_wiki_name
from cortexfs.core.graph.resolve_links import LinkedAtom, NameLookup, RawLink, resolve_link

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

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


@dataclass(frozen=True)
class NameMeanings:
    """What names refer to: the existing refs, and the names for wiki links."""

    refs: Collection[str]
    atoms: Sequence[tuple[Ref, str, frozenset[str]]]

    def resolve_ref(self, cited: str, project: str) -> str | None:
        """Return the atom that a ref in a project refers to; None if there is none."""
        full = f"{project}/{cited}" if project and "/" not in cited else cited
        return next((ref for ref in (full, cited) if ref in self.refs), None)

    def find_path(self, ref: str) -> str:
        """Return the path of an atom; empty if it does not exist."""
        return self._paths_by_ref.get(ref, "")

    def to_ref(self, target: str) -> str:
        """Return the ref of the atom at a path; other names are returned as they are."""
        return self._refs_by_path.get(target, target)

    def has_wiki_name(self, name: str) -> bool:
        """Return whether an atom has a name, compared as a whole even with a slash."""
        return normalize_wiki_name(name) in self._nodes_by_name

    def resolve_wiki_name(self, name: str, project: str) -> str | None:
        """Return the atom that a wiki link refers to, or None."""
        source = Ref(f"{project}/x" if project else "x")
        return resolve_link(
            RawLink(source, WIKI_LINK, normalize_wiki_name(name), 0),
            NameLookup((), self._nodes_by_name),
        )

    @cached_property
    def _refs_by_path(self) -> dict[str, Ref]:
        return {path: ref for ref, path, _ in self.atoms}

    @cached_property
    def _paths_by_ref(self) -> dict[str, str]:
        return {ref: path for ref, path, _ in reversed(self.atoms)}  # of twins the first counts

    @cached_property
    def _nodes_by_name(self) -> dict[str, list[LinkedAtom]]:
        nodes = defaultdict(list)
        for ref, path, names in self.atoms:
            for name in names:
                nodes[name].append(LinkedAtom(ref, path))
        return dict(nodes)


def name_meanings_before(atoms: Iterable[Atom]) -> NameMeanings:
    """Return what names refer to before the renaming."""
    known = tuple((atom.ref, atom.path, frozenset(list_wiki_names(atom))) for atom in atoms)
    return NameMeanings(frozenset(ref for ref, _, _ in known), known)


def name_meanings_after(
    atoms: Iterable[Atom], renaming: Renaming, moved: Collection[str]
) -> NameMeanings:
    """Return what names refer to afterwards; `moved` are the paths of atoms with a new ref."""
    known = []
    for atom in atoms:
        renamed = atom
        if atom.path in moved:
            path = renaming.new_path(atom.path)
            renamed = atom._replace(ref=Ref(renaming.new_ref(atom.ref)), path=path)
        known.append((renamed.ref, renamed.path, frozenset(list_wiki_names(renamed))))
    return NameMeanings(frozenset(ref for ref, _, _ in known), tuple(known))
