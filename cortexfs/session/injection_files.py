"""The private files that hooks look up at a session's start and at a prompt."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import OutsideTree
from cortexfs.tree import atomic_files
from cortexfs.tree.private_files import (
    remove_private_files,
    stamp_private_files,
    write_private_file,
)
from cortexfs.tree.safe_open import open_folder, open_private_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.tree.tree import Tree

PROJECTS_FILE = "injection/projects"
TERMS_FILE = "injection/prompt-terms"
SHOWN_FOLDER = "injection/shown"
"""The folder with a record, for each session, of what it was shown."""
GIVEN_FOLDER = "injection/given"
"""The folder with the texts that sessions were given, a file of lines for each day."""
ANSWERED_FOLDER = "injection/answered"
"""The folder with what tools answered, in the same form: it takes no place from the hooks."""
MAX_DAY_BYTES = 2 << 20
"""Maximum bytes of a day that are read; nothing is added from half of that on."""


class GivenDay(NamedTuple):
    """What agents were given on a day: its lines, and the paths of files that cannot be read."""

    lines: list[str]
    unreadable: list[str]


def write_injection_file(tree: Tree, path: str, content: bytes) -> bool:
    """Write a file below `.cortexfs` if it has another content; return whether it was written."""
    return write_private_file(tree.root, path, content)


def remove_old_records(tree: Tree, before_s: float) -> int:
    """Remove the records last changed before a time, in seconds since 1970; return how many."""
    folders = (SHOWN_FOLDER, GIVEN_FOLDER, ANSWERED_FOLDER)
    old = (
        remove_private_files(tree.root, each, lambda _, found: found.st_mtime < before_s)
        for each in folders
    )
    return sum(map(len, old))


def stamp_given_texts(tree: Tree) -> str:
    """Return a text that is another one after a text was given."""
    folders = (GIVEN_FOLDER, ANSWERED_FOLDER)
    return ".".join(stamp_private_files(tree.root, each) for each in folders).strip(".")


def append_answer(tree: Tree, day: int, line: bytes) -> None:
    """Append a line to the answers of a day, with one write; a full day takes no more.

    Nothing is synced, and what cannot be written is not known later.
    """
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    with (
        suppress(OSError, OutsideTree),
        open_private_folder(tree.root, *ANSWERED_FOLDER.split("/")) as at,
    ):
        file = atomic_files.open_private_file(at, str(day), flags)
        try:
            if os.fstat(file).st_size < MAX_DAY_BYTES // 2:
                os.write(file, line)
        finally:
            os.close(file)


def iter_given_days(tree: Tree) -> Iterator[GivenDay]:
    """Yield what agents were given on each day, the latest day first.

    Raises `OSError` or `OutsideTree` if a folder cannot be read.
    """
    names = {
        name for folder in (GIVEN_FOLDER, ANSWERED_FOLDER) for name in _list_days(tree, folder)
    }
    for name in sorted(names, key=lambda each: (len(each), each), reverse=True):
        lines, unreadable = list[str](), list[str]()
        for folder in (GIVEN_FOLDER, ANSWERED_FOLDER):
            try:
                lines += _read_day(tree, folder, name)
            except (OSError, OutsideTree):
                unreadable.append(f".cortexfs/{folder}/{name}")
        yield GivenDay(lines, unreadable)


def _list_days(tree: Tree, folder: str) -> list[str]:
    with suppress(FileNotFoundError), open_folder(tree.root, f".cortexfs/{folder}") as at:
        return [name for name in os.listdir(at) if name.isascii() and name.isdigit()]
    return []


def _read_day(tree: Tree, folder: str, name: str) -> list[str]:
    """Return the lines of a day; none if there is no such file, or not any more."""
    with suppress(FileNotFoundError), open_folder(tree.root, f".cortexfs/{folder}") as at:
        content = atomic_files.read_file_bytes(at, name, MAX_DAY_BYTES)
        return content.decode("utf-8", "replace").splitlines()
    return []
