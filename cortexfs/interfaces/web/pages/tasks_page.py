"""Tasks: a board of all projects, or of one, with what can be done to each task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.tasks.task_readiness import TaskState
from cortexfs.interfaces.web.render_page import render
from cortexfs.operations.shared.resolve_names import resolve_scopes
from cortexfs.operations.tasks.list_tasks import list_tasks

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest

COLUMNS = (
    ("To approve", (TaskState.PENDING,)),
    ("Ready", (TaskState.READY,)),
    ("Claimed", (TaskState.CLAIMED,)),
    ("Waiting", (TaskState.WAITING, TaskState.BLOCKED, TaskState.PAUSED)),
    ("Done", (TaskState.DONE,)),
)


def show_tasks(request: PanelRequest) -> Response:
    """Return the board."""
    wanted = request.list_values("project")
    with request.session.read() as view:
        found = list_tasks(view, resolve_scopes(view, wanted, "/"), set(TaskState))
        projects = view.tree.list_projects()
    columns = [
        (title, [each for each in found.tasks if each.readiness.state in states])
        for title, states in COLUMNS
    ]
    return render(
        request,
        "tasks.html",
        columns=columns,
        total=len(found.tasks),
        unreadable=found.unreadable,
        projects=projects,
        chosen=request.get("project"),
    )
