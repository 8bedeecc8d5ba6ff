"""Tasks: a board of all projects, with what can be done to each task, to several, and a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.tasks.task_readiness import TaskState
from cortexfs.core.tasks.task_transitions import TaskVerb
from cortexfs.errors import Usage
from cortexfs.interfaces.owner_name import find_owner_name
from cortexfs.interfaces.web.make_change import make_change
from cortexfs.interfaces.web.panel_request import choose_local_path
from cortexfs.interfaces.web.render_page import redirect_after, render
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.operations.tasks.add_task import TaskDraft, add_task
from cortexfs.operations.tasks.browse_tasks import SORTS, BoardRequest, browse_tasks
from cortexfs.operations.tasks.change_several_tasks import TasksRequest, change_several_tasks
from cortexfs.operations.tasks.locked_change import TaskCaller

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.core.changes.execution_mode import ExecutionMode
    from cortexfs.interfaces.web.panel_request import PanelRequest
    from cortexfs.operations.tasks.locked_change import TaskChangeResult
    from cortexfs.session.session import Session

COLUMNS = (
    ("Pending", "pending", (TaskState.PENDING,)),
    ("Ready", "ready", (TaskState.READY,)),
    ("Started", "claimed", (TaskState.CLAIMED,)),
    ("Waiting", "waiting", (TaskState.WAITING, TaskState.BLOCKED, TaskState.PAUSED)),
    ("Done", "done", (TaskState.DONE,)),
)
LABELS = {
    TaskVerb.CLAIM: ("Start", "claimed"),
    TaskVerb.UNCLAIM: ("Put back", "ready"),
    TaskVerb.APPROVE: ("Approve", "ready"),
    TaskVerb.UNBLOCK: ("Make ready", "ready"),
    TaskVerb.RESUME: ("Resume", "ready"),
    TaskVerb.DONE: ("Done", "done"),
    TaskVerb.PAUSE: ("Pause", ""),
    TaskVerb.BLOCK: ("Block", "waiting"),
    TaskVerb.ASSIGN: ("Assign", ""),
}
"""The button of each change, and the column into which a card is dragged for it."""
WITH_TEXT = (TaskVerb.BLOCK, TaskVerb.ASSIGN)
"""What needs a text: the reason, or the owner."""
FILTERS = ("project", "priority", "owner", "state")
MAX_SHOWN = 50
"""Maximum number of tasks in a column, unless all are asked for."""


def show_tasks(request: PanelRequest) -> Response:
    """Return the board."""
    wanted = {name: request.get(name) for name in FILTERS}
    asked = BoardRequest(request.get("q").strip(), sort=request.get("sort", SORTS[0]), **wanted)
    board = browse_tasks(request.session, asked)
    limit = None if request.get("show") == "all" else MAX_SHOWN
    columns = []
    for title, name, states in COLUMNS:
        tasks = [each for each in board.tasks if each.listed.readiness.state in states]
        columns.append((title, name, tasks[:limit], len(tasks)))
    return render(
        request,
        "tasks.html",
        board=board,
        asked=asked,
        columns=columns,
        sorts=SORTS,
        filters=FILTERS,
        labels=LABELS,
        with_text=WITH_TEXT,
        owner=find_owner_name(),
    )


def change_tasks(request: PanelRequest) -> Response:
    """Change the selected tasks, or show what would change; both answer with what was refused."""
    verb = request.field("do")
    if verb not in set(TaskVerb):
        raise Usage("no change is chosen", hint="choose what to do with the task")
    wanted = TasksRequest(
        tuple(dict.fromkeys(request.form.get("ref", ()))),
        TaskVerb(verb),
        request.field("text"),
        find_owner_name(),
    )
    back = choose_local_path(request.field("back"), "/tasks")
    made = make_change(
        request, lambda session, mode: change_several_tasks(session, wanted, mode=mode)
    )
    result = made.result
    if not made.is_preview and not result.refused:
        return redirect_after(back, result.outcome)
    shown = {"made": made, "result": result, "wanted": wanted, "back": back}
    return render(request, "tasks_changed.html", made.status, label=LABELS[wanted.verb][0], **shown)


def create_task(request: PanelRequest) -> Response:
    """Add a task to a project, or show what that would change."""
    project = require_project(request.session, request.field("project"))
    names = ("text", "why", "done-when", "priority")
    fields = {name: request.field(name) for name in names}
    draft = TaskDraft(
        fields["text"], fields["why"], fields["done-when"], priority=fields["priority"]
    )

    def add(session: Session, mode: ExecutionMode) -> TaskChangeResult:
        return add_task(session, project, draft, TaskCaller(find_owner_name(), "/", project, mode))

    made = make_change(request, add)
    if made.is_preview:
        shown = {"made": made, "plan": made.result.plan, "fields": {"project": project, **fields}}
        return render(request, "task_preview.html", made.status, **shown)
    return redirect_after(choose_local_path(request.field("back"), "/tasks"), made.result.outcome)
