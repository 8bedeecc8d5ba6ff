"""Resolve the paths in a tool call to paths in the tree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from posixpath import normpath
from typing import TYPE_CHECKING

from cortexfs.core.access_events.shown_atoms import AtomFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_NO_NAME = re.compile(r"[\0\ud800-\udfff]")
_LONGEST = 4096
"""Maximum characters of a path; no system opens a longer one."""


@dataclass(frozen=True, slots=True)
class PathResolver:
    """What paths are resolved against; files are accessed only where needed.

    `roots` are the paths of the tree (as configured, and the real path), `homes` the folders that
    `~` can mean; `resolve_links` resolves symbolic links. The others take a path below the root:
    `list_folder`
    lists a folder, `is_file` tests for a regular file, `parse_atom_path` returns project and file
    name if the
    path can be an atom's, `find_folder_project` the project of a folder of atoms, `read_text` the
    text of a file.
    """

    roots: tuple[str, ...]
    homes: tuple[str, ...]
    resolve_links: Callable[[str], str]
    list_folder: Callable[[str], Sequence[str]]
    is_file: Callable[[str], bool]
    parse_atom_path: Callable[[str], tuple[str, str] | None]
    find_folder_project: Callable[[str], str | None]
    read_text: Callable[[str], str | None]

    def relative_path(self, path: str, cwd: str) -> str | None:
        """Return a path relative to the root (which is ""); None for one outside the tree."""
        rests = (_rest(at, root) for at in self._places(path, cwd) for root in self.roots)
        return next((rest for rest in rests if rest is not None), None)

    def covered_path(self, path: str, cwd: str) -> str | None:
        """Return the path below the root that a path covers; "" for a folder above the root."""
        below = self.relative_path(path, cwd)
        if below is None and any(
            _rest(root, at) is not None for at in self._places(path, cwd) for root in self.roots
        ):
            return ""
        return below

    def find_atom(self, below: str | None) -> AtomFile | None:
        """Return the atom at a path below the root; None if there is none."""
        atom = self.parse_atom_path(below) if below else None
        return AtomFile(*atom) if atom and below and self.is_file(below) else None

    def find_searched_project(self, below: str) -> str | None:
        """Return the project of a folder of atoms that is not empty; None for any other path."""
        return self.find_folder_project(below) if below and self.list_folder(below) else None

    def _places(self, path: str, cwd: str) -> Iterator[str]:
        """Yield the absolute paths that a path can mean: as written, then with links resolved."""
        spelt = list(self._absolutes(path, cwd))
        yield from spelt
        yield from map(self.resolve_links, spelt)

    def _absolutes(self, path: str, cwd: str) -> Iterator[str]:
        """Yield the absolute forms of a path; a backslash may be a separator."""
        for spelt in dict.fromkeys((path, path.replace("\\", "/"))) if path else ():
            full = spelt if spelt == "~" or spelt.startswith(("/", "~/")) else f"{cwd}/{spelt}"
            if _NO_NAME.search(full) or len(full) > _LONGEST:
                continue
            if full == "~" or full.startswith("~/"):
                yield from (_plain(home + full[1:]) for home in self.homes)
            elif full.startswith("/"):
                yield _plain(full)


def _plain(path: str) -> str:
    """Return an absolute path without `.`, `..` and doubled slashes."""
    return normpath("/" + path.lstrip("/"))


def _rest(path: str, folder: str) -> str | None:
    """Return a path relative to a folder; None if it is not in the folder."""
    if path == folder:
        return ""
    start = folder.rstrip("/") + "/"
    return path[len(start) :] if path.startswith(start) else None
