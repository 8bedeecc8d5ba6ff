"""Recognize a tree and its root, and find the user's own folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class FolderIdentity(NamedTuple):
    """The device and the inode of a folder: no other folder has both while it exists."""

    device: int
    inode: int


def identify_folder(path: str) -> FolderIdentity | None:
    """Return the identity of a folder; None if there is none."""
    try:
        info = os.stat(path)
    except OSError:
        return None
    return FolderIdentity(info.st_dev, info.st_ino)


def cortex_home(environ: Mapping[str, str]) -> str:
    """Return the folder with the user's tree and the installed hooks: by default `~/.cortex`."""
    home = environ.get("CORTEX_HOME") or os.path.join("~", ".cortex")
    return os.path.abspath(os.path.expanduser(home))


def is_tree(path: str) -> bool:
    """Return whether a folder is a tree: it has `CORTEX.md` and `projects/`."""
    return os.path.isfile(os.path.join(path, "CORTEX.md")) and os.path.isdir(
        os.path.join(path, "projects")
    )
