"""The private files that hooks look up at a session's start and at a prompt."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.errors import OutsideTree
from cortexfs.tree import atomic_files
from cortexfs.tree.private_files import (
    remove_private_files,
    stamp_private_files,
    write_private_file,
)
from cortexfs.tree.safe_open import open_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.tree.tree import Tree

PROJECTS_FILE = "injection/projects"
TERMS_FILE = "injection/prompt-terms"
SHOWN_FOLDER = "injection/shown"
"""The folder with a record, for each session, of what it was shown."""
GIVEN_FOLDER = "injection/given"
"""The folder with the texts that sessions were given, a file of lines for each day."""
MAX_DAY_BYTES = 2 << 20
"""Maximum bytes of a day that are read; a hook adds nothing from half of that on."""


def write_injection_file(tree: Tree, path: str, content: bytes) -> bool:
    """Write a file below `.cortexfs` if it has another content; return whether it was written."""
    return write_private_file(tree.root, path, content)


def remove_old_records(tree: Tree, before_s: float) -> int:
    """Remove the records last changed before a time, in seconds since 1970; return how many."""
    folders = (SHOWN_FOLDER, GIVEN_FOLDER)
    old = (
        remove_private_files(tree.root, each, lambda _, found: found.st_mtime < before_s)
        for each in folders
    )
    return sum(map(len, old))


def stamp_given_texts(tree: Tree) -> str:
    """Return a text that is another one after a text was given."""
    return stamp_private_files(tree.root, GIVEN_FOLDER)


def iter_given_days(tree: Tree) -> Iterator[list[str]]:
    """Yield the lines of each day on which a session was given something, the latest day first."""
    with (
        suppress(FileNotFoundError, NotADirectoryError, OutsideTree),
        open_folder(tree.root, f".cortexfs/{GIVEN_FOLDER}") as at,
    ):
        days = [name for name in os.listdir(at) if name.isascii() and name.isdigit()]
        for name in sorted(days, key=lambda each: (len(each), each), reverse=True):
            with suppress(OSError):
                content = atomic_files.read_file_bytes(at, name, MAX_DAY_BYTES)
                yield content.decode("utf-8", "replace").splitlines()
