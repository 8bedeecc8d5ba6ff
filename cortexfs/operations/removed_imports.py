"""Find the imported notes whose atoms were removed with `rm`, in the git history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.frontmatter.atom_text import parse_frontmatter
from cortexfs.core.importing.imported_hash import CHECKSUM_KEY, parse_imported_hash
from cortexfs.core.importing.loose_notes import ORIGIN_KEY
from cortexfs.errors import HistoryFailed
from cortexfs.operations.removed_atoms import find_removed_atoms
from cortexfs.operations.shared.resolve_revision import iter_contents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.session.view import TreeFilesAndGit


def find_removed_imports(view: TreeFilesAndGit, source: str) -> dict[str, str]:
    """Return the notes of a source whose atoms were removed: the origin, and the note's checksum.

    Empty if the history cannot be read: then every note is new.
    """
    found: dict[str, str] = {}
    try:
        for origin, checksum in _iter_removed_imports(view):
            if origin.startswith(f"{source}/"):
                found.setdefault(origin, checksum)
    except HistoryFailed:
        return {}
    return found


def _iter_removed_imports(view: TreeFilesAndGit) -> Iterator[tuple[str, str]]:
    """Yield origin and checksum of each such note, the last removed first."""
    history = view.repository.history
    if history is None:
        return
    removed = [each for each in find_removed_atoms(view) if each.subject == f"rm {each.ref}"]
    for content in iter_contents(history, [(f"{each.commit}^", each.path) for each in removed]):
        fields = parse_frontmatter((content or b"").decode(errors="replace")).fields
        yield str(fields.get(ORIGIN_KEY, "")), parse_imported_hash(fields.get(CHECKSUM_KEY)).note
