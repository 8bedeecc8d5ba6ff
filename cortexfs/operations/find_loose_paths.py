"""Find the notes in a tree that are not part of it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.core.importing.loose_notes import ORIGIN_KEY, TREE_SOURCE_NAME, is_loose_note
from cortexfs.errors import HistoryFailed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from cortexfs.session.view import View


def find_loose_paths(view: View, paths: Iterable[str]) -> list[str]:
    """Return the Markdown files at some paths that are not atoms, and were not imported.

    Files that git ignores are left out.
    """
    loose = [path for path in paths if is_loose_note(path, view.kinds)]
    if not loose:
        return []
    atoms = view.stored_atoms
    known = {atom.text_field(ORIGIN_KEY) for atom in atoms if ORIGIN_KEY in atom.fields}
    loose = [path for path in loose if f"{TREE_SOURCE_NAME}/{path}" not in known]
    ignored: Collection[str] = ()
    with suppress(HistoryFailed):  # the tree can be read without git
        ignored = view.repository.find_ignored(loose) if loose else ()
    return [path for path in loose if path not in ignored]
