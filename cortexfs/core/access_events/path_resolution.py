"""Resolve the paths in a tool call to places in the tree."""

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
"""No system opens a path of more bytes than that."""


@dataclass(frozen=True, slots=True)
class PathResolver:
    """What paths are resolved against; files are looked at only where it matters.

    `roots` are the names of the tree (as configured, and the real one), `homes` what `~`
    can mean, `real` resolves links. The others take a path below the root: `names` lists a
    folder, `is_file` knows regular files, `atom` gives project and name where an atom can
    stand, `folder` the project of a folder of atoms, `text` reads a file.
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
        """Give a path relative to the root (which is ""); None for one outside the tree."""
        rests = (_rest(at, root) for at in self._places(path, cwd) for root in self.roots)
        return next((rest for rest in rests if rest is not None), None)

    def covered_path(self, path: str, cwd: str) -> str | None:
        """Give the part of the tree that a path covers: as `below`, or "" for a folder above it."""
        below = self.relative_path(path, cwd)
        if below is None and any(
            _rest(root, at) is not None for at in self._places(path, cwd) for root in self.roots
        ):
            return ""
        return below

    def find_atom(self, below: str | None) -> AtomFile | None:
        """Give the atom at a path below the root; None where there is none."""
        atom = self.parse_atom_path(below) if below else None
        return AtomFile(*atom) if atom and below and self.is_file(below) else None

    def find_searched_project(self, below: str) -> str | None:
        """Give the project of a folder of atoms that there is; None for any other path."""
        return self.find_folder_project(below) if below and self.list_folder(below) else None

    def _places(self, path: str, cwd: str) -> Iterator[str]:
        """Give the absolute paths that a path can mean: as written, then with links resolved."""
        spelt = list(self._absolutes(path, cwd))
        yield from spelt
        yield from map(self.resolve_links, spelt)

    def _absolutes(self, path: str, cwd: str) -> Iterator[str]:
        """Make a path absolute; a backslash may be a separator."""
        for spelt in dict.fromkeys((path, path.replace("\\", "/"))) if path else ():
            full = spelt if spelt == "~" or spelt.startswith(("/", "~/")) else f"{cwd}/{spelt}"
            if _NO_NAME.search(full) or len(full) > _LONGEST:
                continue
            if full == "~" or full.startswith("~/"):
                yield from (_plain(home + full[1:]) for home in self.homes)
            elif full.startswith("/"):
                yield _plain(full)


def _plain(path: str) -> str:
    """Take `.`, `..` and doubled slashes out of an absolute path."""
    return normpath("/" + path.lstrip("/"))


def _rest(path: str, folder: str) -> str | None:
    """Give what of a path follows a folder; None where it does not lie in it."""
    if path == folder:
        return ""
    start = folder.rstrip("/") + "/"
    return path[len(start) :] if path.startswith(start) else None
