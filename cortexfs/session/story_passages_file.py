"""The private file of what the chunks of a project say: derived, and lost without harm."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.errors import OutsideTree
from cortexfs.tree import atomic_files
from cortexfs.tree.private_files import write_private_file
from cortexfs.tree.safe_open import open_folder

if TYPE_CHECKING:
    from cortexfs.tree.tree import Tree

FOLDER = "stories"


def read_passages_file(tree: Tree, project: str) -> bytes:
    """Return the content of the file; empty if it cannot be read."""
    with suppress(OSError, OutsideTree), open_folder(tree.root, f".cortexfs/{FOLDER}") as at:
        return atomic_files.read_file_bytes(at, project)
    return b""


def write_passages_file(tree: Tree, project: str, content: bytes) -> None:
    """Replace the file; where that is impossible, nothing is kept."""
    with suppress(OSError, OutsideTree):
        write_private_file(tree.root, f"{FOLDER}/{project}", content)
