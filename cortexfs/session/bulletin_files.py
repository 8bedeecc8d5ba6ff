"""The rendered bulletins of a tree: BULLETIN.md for people, private files for the hooks."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import BULLETIN_MD, LOCAL_FOLDER
from cortexfs.tree.atomic_files import read_file_bytes
from cortexfs.tree.private_files import (
    remove_private_files,
    replace_derived_file,
    write_private_file,
)
from cortexfs.tree.safe_open import open_folder, open_private_folder
from cortexfs.tree.try_lock import try_private_lock

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager

    from cortexfs.tree.tree import Tree

FOLDER = "injection/bulletins"
"""The folder of the private files, below `.cortexfs`."""
TREE_BULLETIN = "_tree"
"""The name of the bulletin of the whole tree, beside those of its projects; no project has it."""
LOCK_FILE = "refresh.lock"
BULLETIN_MARK = b"<!-- cortexfs:bulletin"
"""How BULLETIN.md begins: a file without it is somebody else's, and stays as it is."""


class BulletinFiles(NamedTuple):
    """The bulletin files of one tree."""

    tree: Tree

    def hold_lock(self) -> AbstractContextManager[bool]:
        """Yield whether no other process is rendering; hold the lock as long as the context."""
        return try_private_lock(self.tree.root, f"{FOLDER}/{LOCK_FILE}")

    def replace_texts(self, texts: Mapping[str, str]) -> list[str]:
        """Make these the bulletins, by project (empty: the tree); return the paths that changed."""
        root = self.tree.root
        contents = {
            f"{project or TREE_BULLETIN}.md": text.encode() for project, text in texts.items()
        }
        changed = [
            name
            for name, content in sorted(contents.items())
            if write_private_file(root, f"{FOLDER}/{name}", content)
        ]
        changed += remove_private_files(
            root, FOLDER, lambda name, _: name.endswith(".md") and name not in contents
        )
        return [f"{LOCAL_FOLDER}/{FOLDER}/{name}" for name in changed]

    def has_page(self) -> bool:
        """Return whether BULLETIN.md is a bulletin."""
        with suppress(OSError), open_folder(self.tree.root, "") as at:
            return read_file_bytes(at, BULLETIN_MD).startswith(BULLETIN_MARK)
        return False

    def write_page(self, text: str) -> tuple[list[str], bool]:
        """Write BULLETIN.md, or without a text remove it; only its owner can read it.

        Returns its path if it changed, and whether the name is free for it: what is no bulletin
        stays as it is. A bulletin that was edited by hand is replaced.
        """
        content = text.encode() or None
        present: bytes | None = None
        with open_folder(self.tree.root, "") as at:
            try:
                with suppress(FileNotFoundError):
                    present = read_file_bytes(at, BULLETIN_MD)
            except OSError:  # a link, a folder, a pipe
                return [], False
            if present is not None and not present.startswith(BULLETIN_MARK):
                return [], False
            if present == content:
                return [], True
            if content is not None:
                with open_private_folder(self.tree.root, *FOLDER.split("/")) as drafts:
                    replace_derived_file(at, BULLETIN_MD, content, drafts)
            else:
                os.unlink(BULLETIN_MD, dir_fd=at)
        return [BULLETIN_MD], True
