"""The board of tasks: filtered, counted and sorted, each with what can be done to it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.count_facets import choose_one, count_facets, has_chosen
from cortexfs.core.tasks.priority_words import PRIORITY_RANKS
from cortexfs.core.tasks.task_readiness import TaskState
from cortexfs.core.tasks.task_transitions import TaskVerb, list_allowed_verbs
from cortexfs.errors import Usage
from cortexfs.operations.tasks.list_tasks import ListedTask, list_tasks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.find.count_facets import FacetCounts
    from cortexfs.session.session import Session

SORTS = ("urgency", "project", "priority", "claimed")
"""The orders of a board; `claimed` begins with the latest claim or result."""


class BoardRequest(NamedTuple):
    """What a board shows: `text` is a part of an id, a text or a reason; empty fields are any."""

    text: str = ""
    project: str = ""
    priority: str = ""
    owner: str = ""
    state: str = ""
    sort: str = SORTS[0]


class BoardCell(NamedTuple):
    """What a board is counted by."""

    project: str
    priority: str
    owner: str
    state: str


class BoardTask(NamedTuple):
    """A task with its state, and what can be done to it."""

    listed: ListedTask
    verbs: tuple[TaskVerb, ...]


class Board(NamedTuple):
    """The tasks that match, how many of them are open, how many there are, and counts by facet.

    The counts of a facet leave out its own condition: they say what another choice would give.
    """

    tasks: Sequence[BoardTask]
    open_count: int
    stored: int
    facets: FacetCounts
    projects: Sequence[str]
    unreadable: Sequence[Finding]


def browse_tasks(session: Session, request: BoardRequest) -> Board:
    """Return the tasks of all projects that match; raises `Usage` for an unknown order."""
    if request.sort not in SORTS:
        raise Usage("there is no such order", hint=f"orders are {', '.join(SORTS)}")
    with session.read() as view:
        projects = view.tree.list_projects()
        found = list_tasks(view, projects, set(TaskState))
    facets = choose_one(request, BoardCell._fields)
    matching = [each for each in found.tasks if _has_text(each, request.text)]
    chosen = [each for each in matching if has_chosen(_make_cell(each), facets)]
    _sort(chosen, request.sort)
    return Board(
        [BoardTask(each, list_allowed_verbs(each.task, each.readiness.state)) for each in chosen],
        sum(each.readiness.state.is_open for each in chosen),
        len(found.tasks),
        count_facets(Counter(map(_make_cell, matching)), facets),
        projects,
        found.unreadable,
    )


def _make_cell(found: ListedTask) -> BoardCell:
    task = found.task
    owner = task.text_field("claimed-by").strip()
    return BoardCell(task.project, task.priority, owner, found.readiness.state.value)


def _has_text(found: ListedTask, text: str) -> bool:
    task = found.task
    texts = (task.id, task.description, task.text_field("why"), found.readiness.reason)
    return text.casefold() in " ".join(texts).casefold()


def _sort(tasks: list[ListedTask], sort: str) -> None:
    """Sort in place; equal ones stay in the order of urgency."""
    if sort == "project":
        tasks.sort(key=lambda each: each.task.project)
    elif sort == "priority":
        tasks.sort(key=lambda each: -PRIORITY_RANKS[each.task.priority])
    elif sort == "claimed":
        keys = ("completed-at", "claimed-at")
        tasks.sort(key=lambda each: max(each.task.text_field(key) for key in keys), reverse=True)
