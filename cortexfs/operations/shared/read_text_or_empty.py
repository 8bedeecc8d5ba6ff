"""Read files beside the subject of a command: an unreadable one must not stop the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.errors import OutsideTree

if TYPE_CHECKING:
    from cortexfs.session.view import TreeFilesAndGit


def read_text_or_empty(view: TreeFilesAndGit, path: str) -> str:
    """Return a file's text, whatever its bytes; empty if it is missing or cannot be read."""
    try:
        return view.tree.read_text_lossy(path) or ""
    except (OSError, OutsideTree):  # a folder, a link, no permission: `check` reports it
        return ""
