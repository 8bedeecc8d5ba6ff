"""Say whether a tree has stories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import STORY_KINDS

if TYPE_CHECKING:
    from cortexfs.session.session import Session


def has_stories(session: Session) -> bool:
    """Return whether the tree has anything that is made from a chat."""
    with session.read() as view:
        return any(view.queries.has_kind(kind) for kind in STORY_KINDS)
