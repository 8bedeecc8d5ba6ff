"""List what maintenance and housekeeping committed."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.plan import HOUSEKEEPING_MESSAGES
from cortexfs.operations.undo import iter_changes_in_effect

if TYPE_CHECKING:
    from cortexfs.session.annotation_types import CommitSummary
    from cortexfs.session.session import Session

MAX_CHANGES = 20
"""Maximum number of changes that are listed."""
HOUSEKEEPING_COMMITS = 300
"""Number of the last commits among which those of housekeeping are counted."""
SUBJECTS = r"^((undo|redo): )*(maintain: |patterns: |merge [^ ]+ into |reject the merge of )"
"""How the commits of maintenance begin, and those of decisions about its proposals."""


class Housekeeping(NamedTuple):
    """The commits with one message: how many of the last commits, and the last of them."""

    message: str
    commit_count: int
    last: CommitSummary


class MaintenanceChanges(NamedTuple):
    """The changes in effect, newest first; each can be undone. Housekeeping needs no undo."""

    changes: tuple[CommitSummary, ...] = ()
    housekeeping: tuple[Housekeeping, ...] = ()


def list_maintenance_changes(session: Session) -> MaintenanceChanges:
    """Return the last changes of maintenance; none without a repository."""
    history = session.repository.history
    if history is None:
        return MaintenanceChanges()
    found = islice(iter_changes_in_effect(session, SUBJECTS), MAX_CHANGES)
    changes = tuple(each.commit for each in found)
    by_message: dict[str, list[CommitSummary]] = {}
    for record in history.list_recent_commits(HOUSEKEEPING_COMMITS, with_paths=False):
        if record.commit.subject in HOUSEKEEPING_MESSAGES:
            by_message.setdefault(record.commit.subject, []).append(record.commit)
    rows = (Housekeeping(message, len(all_), all_[0]) for message, all_ in by_message.items())
    return MaintenanceChanges(changes, tuple(rows))
