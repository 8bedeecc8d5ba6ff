"""Find every file of a tree that cites an atom: atoms, governance files, and others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Atom, Flaw
from cortexfs.core.atoms.refs import can_refer_to
from cortexfs.core.atoms.tree_paths import INDEX_MD, LOG_FOLDER, project_from_path
from cortexfs.core.status_change.citing_lines import CitingFile, find_citing_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.session.view import TreeFilesAndGit, View

TEXT_SUFFIXES = (".md", ".yaml", ".yml")
"""Suffixes of files that people write; rendered indexes are excluded."""
MAX_DEPTH = 8
"""Maximum depth of folders below the root."""


def find_citing_files(view: View, ref: Ref) -> list[CitingFile]:
    """Return the files that cite an atom, other atoms first.

    An atom is opened only if the catalog lists it as citing; every other file is read.
    """
    found, atoms, others = [], dict[str, Atom](), set[str]()
    for atom in view.stored_atoms:
        if not atom.fields or _is_citing(atom, ref):
            atoms[atom.path] = atom
        else:
            others.add(atom.path)
    with view.tree.open_batch_reader() as read:
        paths = (path for path in iter_text_files(view) if path not in others)
        for path in sorted(paths, key=lambda path: (path not in atoms, path)):
            source = read(path)
            if isinstance(source, Flaw):
                continue
            if lines := find_citing_lines(source.text, project_from_path(path), ref):
                found.append(CitingFile(path, source.text, lines, atoms.get(path)))
    return found


def _is_citing(atom: Atom, ref: Ref) -> bool:
    project = project_from_path(atom.path)
    return any(can_refer_to(cited, project, ref) for cited, _ in atom.cited_refs)


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
