"""Find the observations of patterns whose files were removed, in the git history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.frontmatter.atom_text import parse_frontmatter
from cortexfs.core.patterns.pattern_text import is_own_origin, parse_pattern_id
from cortexfs.errors import HistoryFailed
from cortexfs.operations.removed_atoms import find_removed_atoms
from cortexfs.operations.shared.resolve_revision import iter_contents

if TYPE_CHECKING:
    from cortexfs.session.view import TreeFilesAndGit

_UNDO = "undo: "
"""What the message of a commit begins with that takes a run back, and judges nothing."""


def find_removed_patterns(view: TreeFilesAndGit) -> frozenset[str]:
    """Return the ids of patterns whose observation was removed, other than by `undo`.

    Empty if the history cannot be read.
    """
    history = view.repository.history
    if history is None:
        return frozenset()
    try:
        removed = [
            (f"{each.commit}^", each.path)
            for each in find_removed_atoms(view)
            if "/observations/" in each.path and not each.subject.startswith(_UNDO)
        ]
        contents = list(iter_contents(history, removed))
    except HistoryFailed:
        return frozenset()
    fields = [parse_frontmatter((each or b"").decode(errors="replace")).fields for each in contents]
    return frozenset(
        parse_pattern_id(str(each.get("topic-key", "")))
        for each in fields
        if is_own_origin(str(each.get("origin", "")))
    )
