"""Resolve the paths in a tool call to paths in the tree."""

from __future__ import annotations

import re
from posixpath import normpath
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.access_events.shown_atom_types import AtomFileName

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_INVALID_CHARS = re.compile(r"[\0\ud800-\udfff]")
_MAX_PATH_CHARS = 4096
"""Maximum characters of a path; no system opens a longer one."""


class PathResolver(NamedTuple):
    """What paths are resolved against; files are accessed only where needed.

    `roots` are the paths of the tree (as configured, and the real path), `homes` the folders that
    `~` can mean; `resolve_links` resolves symbolic links. The others take a path below the root:
    `list_folder` lists a folder, `is_file` tests for a regular file, `parse_atom_path` returns
    project and file name if the path can be an atom's, `find_folder_project` the project of a
    folder of atoms, `read_text` the text of a file.
    """

    roots: tuple[str, ...]
    homes: tuple[str, ...]
    resolve_links: Callable[[str], str]
    list_folder: Callable[[str], Sequence[str]]
    is_file: Callable[[str], bool]
    parse_atom_path: Callable[[str], tuple[str, str] | None]
    find_folder_project: Callable[[str], str | None]
    read_text: Callable[[str], str | None]

    def to_tree_path(self, path: str, cwd: str) -> str | None:
        """Return a path relative to the root (which is ""); None for one outside the tree."""
        tree_paths = (
            _relative_to(candidate, root)
            for candidate in self._list_candidates(path, cwd)
            for root in self.roots
        )
        return next((each for each in tree_paths if each is not None), None)

    def find_covered_path(self, path: str, cwd: str) -> str | None:
        """Return the path below the root that a path covers; "" for a folder above the root."""
        tree_path = self.to_tree_path(path, cwd)
        if tree_path is None and any(
            _relative_to(root, candidate) is not None
            for candidate in self._list_candidates(path, cwd)
            for root in self.roots
        ):
            return ""
        return tree_path

    def find_atom(self, tree_path: str | None) -> AtomFileName | None:
        """Return the atom at a path below the root; None if there is none."""
        atom = self.parse_atom_path(tree_path) if tree_path else None
        return AtomFileName(*atom) if atom and tree_path and self.is_file(tree_path) else None

    def find_searched_project(self, tree_path: str) -> str | None:
        """Return the project of a folder of atoms that is not empty; None for any other path."""
        if not (tree_path and self.list_folder(tree_path)):
            return None
        return self.find_folder_project(tree_path)

    def _list_candidates(self, path: str, cwd: str) -> Iterator[str]:
        """Yield the absolute paths that a path can mean: as written, then with links resolved."""
        as_written = list(self._list_absolute_forms(path, cwd))
        yield from as_written
        yield from map(self.resolve_links, as_written)

    def _list_absolute_forms(self, path: str, cwd: str) -> Iterator[str]:
        """Yield the absolute forms of a path; a backslash may be a separator."""
        for form in dict.fromkeys((path, path.replace("\\", "/"))) if path else ():
            full = form if form == "~" or form.startswith(("/", "~/")) else f"{cwd}/{form}"
            if _INVALID_CHARS.search(full) or len(full) > _MAX_PATH_CHARS:
                continue
            if full == "~" or full.startswith("~/"):
                yield from (_normalize(home + full[1:]) for home in self.homes)
            elif full.startswith("/"):
                yield _normalize(full)


def _normalize(path: str) -> str:
    """Return an absolute path without `.`, `..` and doubled slashes."""
    return normpath("/" + path.lstrip("/"))


def _relative_to(path: str, folder: str) -> str | None:
    """Return a path relative to a folder; None if it is not in the folder."""
    if path == folder:
        return ""
    start = folder.rstrip("/") + "/"
    return path[len(start) :] if path.startswith(start) else None
