"""The rendered bulletins of a tree: BULLETIN.md for people, private files for the hooks."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import BULLETIN_MD
from cortexfs.errors import OutsideTree
from cortexfs.tree.bulletin_file import BulletinFileState, write_bulletin_file
from cortexfs.tree.private_texts import PrivateTexts

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from cortexfs.tree.tree import Tree

BULLETINS_FOLDERS = ("injection", "bulletins")
TREE_BULLETIN = "_tree"
"""The name of the bulletin of the whole tree, beside those of its projects; no project has it."""


class BulletinFiles(NamedTuple):
    """The bulletin files of one tree."""

    tree: Tree

    def hold_lock(self) -> AbstractContextManager[bool]:
        """Yield whether no other process is rendering; hold the lock as long as the context."""
        return self._texts().hold_lock()

    def read(self, project: str) -> str | None:
        """Return the rendered bulletin of a project (empty: of the tree); None if there is none."""
        with suppress(OSError, OutsideTree):
            return self._texts().read(_file_name(project))
        return None

    def replace_texts(self, texts: dict[str, str]) -> list[str]:
        """Make these the bulletins, by project (empty: the tree); return the paths that changed."""
        named = {_file_name(project): text for project, text in texts.items()}
        above = "/".join((".cortexfs", *BULLETINS_FOLDERS))
        return [f"{above}/{name}" for name in self._texts().replace_texts(named)]

    def write_page(self, text: str) -> tuple[list[str], bool]:
        """Write BULLETIN.md; return the path if it changed, and whether the name is free for it."""
        state = write_bulletin_file(self.tree.root, text)
        changed = [BULLETIN_MD] if state is BulletinFileState.WRITTEN else []
        return changed, state is not BulletinFileState.TAKEN

    def _texts(self) -> PrivateTexts:
        return PrivateTexts(self.tree.root, BULLETINS_FOLDERS)


def _file_name(project: str) -> str:
    return f"{project or TREE_BULLETIN}.md"
