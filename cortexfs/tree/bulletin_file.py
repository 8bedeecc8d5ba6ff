"""BULLETIN.md at the root: written only over a bulletin, and only where git ignores it."""

from __future__ import annotations

import os
from enum import StrEnum

from cortexfs.core.atoms.tree_paths import BULLETIN_MD
from cortexfs.tree import atomic_files
from cortexfs.tree.private_texts import MAX_TEXT_BYTES, replace_derived_file
from cortexfs.tree.safe_open import open_folder

BULLETIN_MARK = "<!-- cortexfs:bulletin"
"""How each bulletin begins: a file without it is somebody else's, and stays as it is."""


class BulletinFileState(StrEnum):
    """What became of BULLETIN.md."""

    CURRENT = "current"
    WRITTEN = "written"
    TAKEN = "taken"
    """What is there is no bulletin: a file of somebody, a link, a folder, a pipe."""


def write_bulletin_file(root: str, text: str) -> BulletinFileState:
    """Write BULLETIN.md, or without a text remove it; only its owner can read it.

    It may have personal observations. A bulletin that was edited by hand is replaced.
    """
    with open_folder(root, "") as at:
        present = _read_present(at)
        if present is not None and not present.startswith(BULLETIN_MARK.encode()):
            return BulletinFileState.TAKEN
        if (present or b"") == text.encode():
            return BulletinFileState.CURRENT
        if text:
            replace_derived_file(at, BULLETIN_MD, text.encode(), 0o600)
        else:
            os.unlink(BULLETIN_MD, dir_fd=at)
    return BulletinFileState.WRITTEN


def _read_present(at: int) -> bytes | None:
    """Return the content of BULLETIN.md, None if it is missing; empty if it cannot be ours."""
    try:
        return atomic_files.read_file_bytes(at, BULLETIN_MD, MAX_TEXT_BYTES)
    except FileNotFoundError:
        return None
    except OSError:
        return b"\0"
