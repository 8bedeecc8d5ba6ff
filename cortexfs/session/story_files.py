"""Private files of the stories of a project: what its chunks say, and what is being written.

They are derived, and lost without harm.
"""

from __future__ import annotations

from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING

from cortexfs.errors import OutsideTree
from cortexfs.tree import atomic_files
from cortexfs.tree.private_files import write_private_file
from cortexfs.tree.safe_open import open_folder

if TYPE_CHECKING:
    from cortexfs.tree.tree import Tree


class StoryFolder(StrEnum):
    """The folders below `.cortexfs`; each has one file for a project."""

    PASSAGES = "stories"
    BUILDS = "story-builds"


def read_story_file(tree: Tree, folder: StoryFolder, project: str) -> bytes:
    """Return the content of the file; empty if it cannot be read."""
    with suppress(OSError, OutsideTree), open_folder(tree.root, f".cortexfs/{folder}") as at:
        return atomic_files.read_file_bytes(at, project)
    return b""


def write_story_file(tree: Tree, folder: StoryFolder, project: str, content: bytes) -> None:
    """Replace the file; where that is impossible, nothing is kept."""
    with suppress(OSError, OutsideTree):
        write_private_file(tree.root, f"{folder}/{project}", content)
