"""Summarize what waits: tasks, decisions to be made, challenged atoms."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import DECISION_KIND
from cortexfs.core.atoms.lifecycle import CHALLENGED
from cortexfs.core.tasks.task_readiness import OPEN_STATES
from cortexfs.operations.tasks.list_tasks import list_tasks
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.operations.tasks.list_tasks import ListedTask
    from cortexfs.session.annotation_types import BrowseRow
    from cortexfs.session.session import Session

_PROPOSED = "proposed"


class OpenWork(NamedTuple):
    """What waits, most urgent first; the numbers are those of all, not of what is listed."""

    tasks: Sequence[ListedTask]
    task_count: int
    decisions: Sequence[BrowseRow]
    decision_count: int
    challenged: Sequence[BrowseRow]
    challenged_count: int
    unreadable_boards: Sequence[Finding]
    unreadable_atoms: int


def summarize_open_work(session: Session, only: AtomFilter, limit: int = 5) -> OpenWork:
    """Return what waits in some projects, or in all."""
    with session.read(NeededContents.TEXTS) as view:
        names = list(only.projects) or view.tree.list_projects()
        tasks = list_tasks(view, names, OPEN_STATES)
        proposed = view.make_browse_filter(
            only._replace(kinds=(DECISION_KIND,), statuses=(_PROPOSED,))
        )
        challenged = view.make_browse_filter(only._replace(statuses=(CHALLENGED,)))
        return OpenWork(
            tasks.tasks[:limit],
            len(tasks.tasks),
            view.browse.list_rows(proposed, "date", limit, 0, descending=True),
            view.browse.count(proposed),
            view.browse.list_rows(challenged, "date", limit, 0, descending=True),
            view.browse.count(challenged),
            tasks.unreadable,
            view.catalog.count_unreadable(),
        )
