"""What lies in a tree, seen from outside: one stamp for each file that matters."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.core.diff import Stamp
from cortexfs.core.places import INDEX, LOGS, is_atom_name, is_log_name
from cortexfs.errors import OutsideTree
from cortexfs.tree.beneath import folder
from cortexfs.tree.files import sweep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cortexfs.core.kinds import Kinds

SETTINGS = "cortexfs.yaml"
_ABSENT = (FileNotFoundError, NotADirectoryError, PermissionError, OutsideTree)
"""What keeps a folder from being looked into, and must not keep the others from it."""


def projects(root: str) -> list[str]:
    """Name the projects of a tree in order: real folders, none of them hidden."""
    with (
        suppress(*_ABSENT),
        folder(root, "projects") as at,
        os.scandir(at) as entries,
    ):
        return sorted(
            entry.name
            for entry in entries
            if not entry.name.startswith(".")
            and entry.is_dir(follow_symlinks=False)
            and _spelt(entry.name) == entry.name
        )
    return []


def folders(root: str, kinds: Kinds) -> Iterator[str]:
    """Name every folder where atoms can stand, whether it exists or not."""
    for kind in kinds:
        if "root" in kind.scopes:
            yield kind.folder
    for project in projects(root):
        for kind in kinds:
            if "project" in kind.scopes:
                yield f"projects/{project}/{kind.folder}"


def stamps(root: str, kinds: Kinds) -> dict[str, Stamp]:
    """Stamp every atom, index, log and setting of the tree, by path below the root."""
    found = {
        path: stamp
        for place in folders(root, kinds)
        for path, stamp in _stamps(root, place, _is_shown)
    }
    for project in projects(root):
        found.update(_stamps(root, f"projects/{project}/{LOGS}", is_log_name))
    found.update(_stamps(root, "", SETTINGS.__eq__))
    return found


def names(root: str, path: str) -> list[str]:
    """Name what lies in a folder, in order; nothing where there is no such folder."""
    with suppress(*_ABSENT), folder(root, path) as at:
        return sorted(name for name in os.listdir(at) if _spelt(name) == name)
    return []


def _is_shown(name: str) -> bool:
    return name == INDEX or is_atom_name(name)


def _stamps(root: str, place: str, wanted: Callable[[str], bool]) -> Iterator[tuple[str, Stamp]]:
    """Stamp the wanted names of one folder; drafts that were left there long ago go."""
    with suppress(*_ABSENT), folder(root, place) as at:
        prefix = f"{place}/" if place else ""
        drafts = []
        with os.scandir(at) as entries:
            for entry in entries:
                name = _spelt(entry.name)
                if wanted(name):
                    with suppress(FileNotFoundError):
                        status = entry.stat(follow_symlinks=False)
                        yield (
                            f"{prefix}{name}",
                            Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns),
                        )
                elif name.startswith("."):
                    drafts.append(name)
        sweep(at, drafts)


def _spelt(name: str) -> str:
    """Spell a name that is no UTF-8 with backslashes: shown, and never opened."""
    return os.fsencode(name).decode(errors="backslashreplace")
