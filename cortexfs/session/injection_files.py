"""The private files that hooks look up at a session's start and at a prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.tree.private_files import remove_private_files, write_private_file

if TYPE_CHECKING:
    from cortexfs.tree.tree import Tree

PROJECTS_FILE = "injection/projects"
TERMS_FILE = "injection/prompt-terms"
SHOWN_FOLDER = "injection/shown"
"""The folder with a record, for each session, of what it was shown."""


def write_injection_file(tree: Tree, path: str, content: bytes) -> bool:
    """Write a file below `.cortexfs` if it has another content; return whether it was written."""
    return write_private_file(tree.root, path, content)


def remove_old_records(tree: Tree, before_s: float) -> int:
    """Remove the records last changed before a time, in seconds since 1970; return how many."""
    old = remove_private_files(tree.root, SHOWN_FOLDER, lambda _, found: found.st_mtime < before_s)
    return len(old)
