"""List the files of a tree with their stamps, without opening them."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from cortexfs.core.atoms.tree_paths import (
    BULLETIN_MD,
    CORTEX_MD,
    LOG_FOLDER,
    is_access_log_name,
    is_atom_or_index_name,
    personal_folder,
)
from cortexfs.core.changes.compare_stamps import FileStamp
from cortexfs.errors import OutsideTree
from cortexfs.tree.safe_open import keep_folder_open, open_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cortexfs.core.atoms.kinds import Kinds

SETTINGS_FILE = "cortexfs.yaml"
FOLDER_ERRORS = (FileNotFoundError, NotADirectoryError, PermissionError, OutsideTree)
"""Errors of one folder that must not prevent reading the others."""


def list_projects(root: str) -> list[str]:
    """Return the names of the projects, sorted: real folders that are not hidden."""
    with (
        suppress(*FOLDER_ERRORS),
        open_folder(root, "projects") as at,
        os.scandir(at) as entries,
    ):
        return sorted(
            entry.name
            for entry in entries
            if _is_project_name(entry.name) and entry.is_dir(follow_symlinks=False)
        )
    return []


def _is_project_name(name: str) -> bool:
    with suppress(UnicodeEncodeError):  # half a character, which no file system has
        return not name.startswith(".") and name != CORTEX_MD and decode_name(name) == name
    return False


@contextmanager
def open_batch_stamper(root: str) -> Iterator[Callable[[str], FileStamp | None]]:
    """Yield a function that returns the stamp of a file; None if it cannot be reached."""
    with keep_folder_open(root) as open_above:

        def stamp(path: str) -> FileStamp | None:
            try:
                at, name = open_above(path)
                return FileStamp.of(os.stat(name, dir_fd=at, follow_symlinks=False))
            except (OSError, OutsideTree):
                return None

        yield stamp


def stamp_paths(root: str, kinds: Kinds, paths: Iterable[str]) -> dict[str, FileStamp]:
    """Return the stamps of some paths, if `scan_tree` would include them."""
    paths, found = list(paths), dict[str, FileStamp]()
    named = {path.split("/")[1] for path in paths if path.startswith("projects/")}
    projects = filter(_is_project_name, named)  # a link is not opened below
    filters = dict(iter_stamped_folders(root, kinds, projects))
    for path in paths:
        above, _, name = path.rpartition("/")
        if above in filters and filters[above](name):
            with suppress(*FOLDER_ERRORS), open_folder(root, above) as at:
                found[path] = FileStamp.of(os.stat(name, dir_fd=at, follow_symlinks=False))
    return found


def iter_stamped_folders(
    root: str, kinds: Kinds, projects: Iterable[str], *, existing: bool = False
) -> Iterator[tuple[str, Callable[[str], bool]]]:
    """Yield every folder of some projects with relevant files, and a predicate for their names.

    Folders of no project are included. With `existing`, folders that a project does not have are
    left out: most projects have few.
    """
    yield from ((kind.folder, is_atom_or_index_name) for kind in kinds if "root" in kind.scopes)
    yield from (
        (personal_folder(kind), is_atom_or_index_name) for kind in kinds if "user" in kind.scopes
    )
    inner = {kind.folder: is_atom_or_index_name for kind in kinds if "project" in kind.scopes}
    for project in projects:
        above = f"projects/{project}"
        present = list_names(root, above) if existing else ()
        for place, wanted in ({LOG_FOLDER: is_access_log_name} | inner).items():
            if not existing or place.partition("/")[0] in present:
                yield f"{above}/{place}", wanted
    yield "", SETTINGS_FILE.__eq__


def list_names(root: str, path: str) -> list[str]:
    """Return the sorted names in a folder; empty if there is no such folder."""
    with suppress(*FOLDER_ERRORS), open_folder(root, path) as at:
        return sorted(name for name in os.listdir(at) if decode_name(name) == name)
    return []


def fingerprint_folders(root: str) -> tuple[str, bool]:
    """Return the stamps of files in folders with a CORTEX.md, and whether they are reliable.

    The stamps are one text. They are not reliable if a file is so new that it could change without
    a new stamp.
    """
    now = time.time_ns()
    found = sorted(_iter_outline(root, ""))
    settled = all(stamp == stamp.without_unsettled_times(now) for _, stamp in found)
    return "\n".join(f"{path} {tuple(stamp)}" for path, stamp in found), settled


def _iter_outline(root: str, place: str) -> Iterator[tuple[str, FileStamp]]:
    """Yield the stamps of files in a folder and its subfolders with a CORTEX.md, else names."""
    prefix = f"{place}/" if place else ""
    with suppress(*FOLDER_ERRORS), open_folder(root, place) as at, os.scandir(at) as entries:
        for entry in entries:
            path = f"{prefix}{decode_name(entry.name)}"
            if entry.name[0] in "._" or path == BULLETIN_MD:
                continue
            if not entry.is_dir(follow_symlinks=False):
                yield path, FileStamp.of(entry.stat(follow_symlinks=False))
            elif place == "projects" or path == "projects" or _has_cortex_md(at, entry.name):
                yield from _iter_outline(root, path)
            else:
                yield path, FileStamp(0, 0, 0)


def _has_cortex_md(at: int, name: str) -> bool:
    with suppress(OSError):
        return bool(os.stat(f"{name}/{CORTEX_MD}", dir_fd=at, follow_symlinks=False))
    return False


def decode_name(name: str) -> str:
    """Return a name with backslash escapes for invalid UTF-8: it is shown, but never opened."""
    return name if name.isascii() else os.fsencode(name).decode(errors="backslashreplace")
