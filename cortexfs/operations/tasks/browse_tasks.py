"""The board of tasks: filtered, counted and sorted, each with what can be done to it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.tasks.priority_words import PRIORITY_RANKS
from cortexfs.core.tasks.task_readiness import TaskState
from cortexfs.core.tasks.task_transitions import TaskVerb, list_allowed_verbs
from cortexfs.errors import Usage
from cortexfs.operations.tasks.list_tasks import ListedTask, list_tasks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.session.session import Session

SORTS = ("urgency", "project", "priority", "claimed")
"""The orders of a board; `claimed` begins with the latest claim or result."""
FACETS = ("project", "priority", "owner", "state")


class BoardRequest(NamedTuple):
    """What a board shows: `text` is a part of an id, a text or a reason; empty fields are any."""

    text: str = ""
    project: str = ""
    priority: str = ""
    owner: str = ""
    state: str = ""
    sort: str = SORTS[0]


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
    facets: Mapping[str, Sequence[tuple[str, int]]]
    projects: Sequence[str]
    unreadable: Sequence[Finding]


def browse_tasks(session: Session, request: BoardRequest) -> Board:
    """Return the tasks of all projects that match; raises `Usage` for an unknown order."""
    if request.sort not in SORTS:
        raise Usage("there is no such order", hint=f"orders are {', '.join(SORTS)}")
    with session.read() as view:
        projects = view.tree.list_projects()
        found = list_tasks(view, projects, set(TaskState))
    chosen = [each for each in found.tasks if _matches(each, request)]
    _sort(chosen, request.sort)
    return Board(
        [BoardTask(each, list_allowed_verbs(each.task, each.readiness.state)) for each in chosen],
        sum(each.readiness.state.is_open for each in chosen),
        len(found.tasks),
        {facet: _count(found.tasks, request, facet) for facet in FACETS},
        projects,
        found.unreadable,
    )


def _read_facet(found: ListedTask, facet: str) -> str:
    match facet:
        case "project":
            return found.task.project
        case "priority":
            return found.task.priority
        case "owner":
            return found.task.text_field("claimed-by").strip()
        case _:
            return found.readiness.state.value


def _matches(found: ListedTask, request: BoardRequest, without: str = "") -> bool:
    for facet in FACETS:
        wanted = getattr(request, facet)
        if wanted and facet != without and _read_facet(found, facet) != wanted:
            return False
    task = found.task
    texts = (task.id, task.description, task.text_field("why"), found.readiness.reason)
    return request.text.casefold() in " ".join(texts).casefold()


def _count(
    tasks: Sequence[ListedTask], request: BoardRequest, facet: str
) -> Sequence[tuple[str, int]]:
    counts = Counter(_read_facet(each, facet) for each in tasks if _matches(each, request, facet))
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))


def _sort(tasks: list[ListedTask], sort: str) -> None:
    """Sort in place; equal ones stay in the order of urgency."""
    if sort == "project":
        tasks.sort(key=lambda each: each.task.project)
    elif sort == "priority":
        tasks.sort(key=lambda each: -PRIORITY_RANKS[each.task.priority])
    elif sort == "claimed":
        keys = ("completed-at", "claimed-at")
        tasks.sort(key=lambda each: max(each.task.text_field(key) for key in keys), reverse=True)
