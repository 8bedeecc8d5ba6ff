"""Find a commit of the tree by its id, among those that a server knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.session.annotation_types import CommitSummary
    from cortexfs.session.session import Session


def find_commit(session: Session, commit: str) -> CommitSummary | None:
    """Return a recent commit by its whole id; None if there is none."""
    if not commit:
        return None
    records = session.list_commits().records
    return next((each.commit for each in records if each.commit.commit == commit), None)
