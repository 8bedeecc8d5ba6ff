"""Find every file of a tree that cites an atom: atoms, governance files, and others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.refs import can_refer_to
from cortexfs.core.atoms.tree_paths import INDEX_MD, LOG_FOLDER, project_from_path
from cortexfs.core.status_change.citing_lines import CitingFile, find_citing_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.core.atoms.atom import Atom, Ref
    from cortexfs.session.view import TreeFilesAndGit

TEXT_SUFFIXES = (".md", ".yaml", ".yml")
"""Suffixes of files that people write; rendered indexes are excluded."""
MAX_DEPTH = 8
"""Maximum depth of folders below the root."""


def find_citing_files(
    view: TreeFilesAndGit, ref: Ref, atoms: Mapping[str, Atom]
) -> list[CitingFile]:
    """Return the files that cite an atom, other atoms first; `atoms` are those of the tree by path.

    An atom is opened only if the catalog lists it as citing; every other file is read.
    """
    found = []
    with view.tree.open_batch_reader() as read:
        paths = _iter_candidate_paths(view, ref, atoms)
        for path in sorted(paths, key=lambda path: (path not in atoms, path)):
            source = read(path)
            if isinstance(source, Flaw):
                continue
            if lines := find_citing_lines(source.text, project_from_path(path), ref):
                found.append(CitingFile(path, source.text, lines, atoms.get(path)))
    return found


def _iter_candidate_paths(
    view: TreeFilesAndGit, ref: Ref, atoms: Mapping[str, Atom]
) -> Iterator[str]:
    for path in iter_text_files(view):
        atom = atoms.get(path)
        known = atom.cited_refs if atom and atom.fields else None
        project = project_from_path(path)
        if known is None or any(can_refer_to(cited, project, ref) for cited, _ in known):
            yield path


def iter_text_files(view: TreeFilesAndGit, folder: str = "", depth: int = 0) -> Iterator[str]:
    """Yield the written files below a folder, without hidden files and access logs."""
    for name in view.tree.list_names(folder):
        path = f"{folder}/{name}" if folder else name
        if name.endswith(TEXT_SUFFIXES):
            if name != INDEX_MD:
                yield path
        elif (
            depth < MAX_DEPTH
            and not name.startswith(".")
            and name != LOG_FOLDER
            and view.tree.is_folder(path)
        ):
            yield from iter_text_files(view, path, depth + 1)
