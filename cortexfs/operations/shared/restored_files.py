"""The files that somebody brought back: maintenance does not change them again."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.session.view import TreeFilesAndGit

_SUBJECTS = "^(undo: maintain: |restore )"
"""The commits that bring files back: an undo of maintenance, or `restore`."""


def find_restored_files(view: TreeFilesAndGit, paths: Iterable[str]) -> set[str]:
    """Return which files still have the text that an undo of maintenance or a restore gave them."""
    history = view.repository.history
    wanted = set(paths)
    if history is None or not wanted:
        return set()
    texts: dict[str, set[str]] = defaultdict(set)
    for change in history.find_undoable_changes(_SUBJECTS):
        for path, _, after in history.read_changed_files(change, wanted):
            if after is not None:
                texts[path].add(after.decode(errors="replace"))
    return {path for path, known in texts.items() if view.tree.read_text_lossy(path) in known}
