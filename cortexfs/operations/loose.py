"""Find the notes that lie in a tree and are no part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.importing.loose import ORIGIN, SOURCE, is_loose

if TYPE_CHECKING:
    from cortexfs.session.view import View


def loose_paths(view: View) -> list[str]:
    """Name the Markdown files within the tree that are no atoms, and were not imported."""
    origins = {atom.text(ORIGIN) for atom in view.facts.atoms() if ORIGIN in atom.fields}
    return [
        path
        for path in view.tree.page_paths(view.kinds)
        if is_loose(path, view.kinds) and f"{SOURCE}/{path}" not in origins
    ]
