"""The texts of a tree that are no atoms: governance files, listings, indexes, settings."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.core.atoms.tree_paths import LOGS, place
from cortexfs.errors import OutsideTree
from cortexfs.tree import atomic_files
from cortexfs.tree.safe_open import folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.atoms.kinds import Kinds

TEXTS = (".md", ".yaml", ".yml", ".txt", ".json", ".toml")
LARGEST = 4 * 1024 * 1024
"""Bytes of a page; an index of ten thousand atoms has less."""
DEEPEST = 8


def pages(root: str, kinds: Kinds) -> dict[str, str]:
    """Read every text of a tree that is no atom, by its path; not the logs, nor hidden folders."""
    found = {}
    for path in _paths(root, "", kinds):
        above, _, name = path.rpartition("/")
        with suppress(OSError, OutsideTree), folder(root, above) as at:
            content = atomic_files.read(at, name)
            if len(content) <= LARGEST:
                found[path] = content.decode(errors="replace")
    return found


def large_pages(root: str, kinds: Kinds) -> list[str]:
    """Name the texts that `pages` leaves out because they are over `LARGEST`."""
    found = []
    for path in _paths(root, "", kinds):
        above, _, name = path.rpartition("/")
        with suppress(OSError, OutsideTree), folder(root, above) as at:
            status = os.stat(name, dir_fd=at, follow_symlinks=False)
            if stat.S_ISREG(status.st_mode) and status.st_size > LARGEST:
                found.append(path)
    return found


def paths(root: str, kinds: Kinds) -> list[str]:
    """Name the Markdown files of a tree that are no atoms, beside hidden folders."""
    return [path for path in _paths(root, "", kinds) if path.endswith(".md")]


def _paths(root: str, above: str, kinds: Kinds) -> Iterator[str]:
    prefix = f"{above}/" if above else ""
    inner = []
    with suppress(OSError, OutsideTree), folder(root, above) as at, os.scandir(at) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            name = entry.name
            if entry.is_dir(follow_symlinks=False):
                if not name.startswith(".") and name != LOGS:
                    inner.append(f"{prefix}{name}")
            elif name.endswith(TEXTS) and place(f"{prefix}{name}", kinds) is None:
                yield f"{prefix}{name}"
    for path in inner if prefix.count("/") < DEEPEST else ():
        yield from _paths(root, path, kinds)
