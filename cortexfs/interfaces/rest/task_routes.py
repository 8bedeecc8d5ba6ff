"""Routes for tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import Query

from cortexfs.core.tasks.task_and_board import MEDIUM
from cortexfs.core.tasks.task_readiness import TaskState
from cortexfs.core.tasks.tasks_lock import DEFAULT_MINUTES
from cortexfs.interfaces.json.documents import projects as documents
from cortexfs.interfaces.json.documents import tree_state
from cortexfs.interfaces.owner_name import find_owner_name
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest import task_bodies as bodies
from cortexfs.interfaces.rest.answers import Answer, make_document, make_result
from cortexfs.interfaces.rest.bodies import ProjectsBody
from cortexfs.interfaces.rest.endpoint import NOWHERE, Call, Effect, Endpoint

if TYPE_CHECKING:
    from cortexfs.operations.tasks.list_tasks import TaskList
    from cortexfs.operations.tasks.locked_change import TaskCaller, TaskChangeResult


def list_tasks(
    call: Call,
    project: given.Names = [],  # noqa: B006 - never changed
    state: Annotated[list[TaskState], Query(max_length=20)] = [],  # noqa: B006
) -> Answer:
    """List tasks: those that can be claimed first, then by urgency."""
    from cortexfs.operations.tasks.list_tasks import list_tasks as read_tasks

    return _make_list(read_tasks(call.session, _resolve(call, project), state))


def list_next_tasks(
    call: Call,
    project: given.Names = [],  # noqa: B006
    limit: given.LimitQuery = 1,
) -> Answer:
    """List the most urgent tasks that can be claimed."""
    from cortexfs.operations.tasks.list_tasks import next_tasks

    return _make_list(next_tasks(call.session, _resolve(call, project), limit))


def check_tasks(call: Call, project: given.Names = []) -> Answer:  # noqa: B006
    """Find problems in tasks."""
    from cortexfs.interfaces.json.tree_state import to_finding_json
    from cortexfs.operations.tasks.list_tasks import lint_tasks

    found = lint_tasks(call.session, _resolve(call, project))
    findings = list(map(to_finding_json, found.findings))
    warnings = len(findings) - found.errors
    return make_document(findings=findings, errors=found.errors, warnings=warnings)


def add_task(call: Call, body: bodies.NewTaskBody) -> Answer:
    """Add a task."""
    from cortexfs.operations.shared.resolve_names import require_project
    from cortexfs.operations.tasks.add_task import TaskDraft
    from cortexfs.operations.tasks.add_task import add_task as add

    name = require_project(call.session, body["project"])
    draft = TaskDraft(
        body["text"],
        why=body.get("why", ""),
        done_when=body.get("done-when", ""),
        priority=body.get("priority", MEDIUM),
        template=body.get("template", ""),
        plan=body.get("plan", ""),
        parent=body.get("parent", ""),
        depends_on=body.get("depends-on", []),
        needs_approval=body.get("approval", False),
        not_before=body.get("not-before", ""),
    )
    caller = _make_caller(call, {"owner": body.get("owner", ""), "project": name})
    return _make_changed(add(call.session, name, draft, caller))


def claim_task(call: Call, body: bodies.ClaimBody) -> Answer:
    """Claim a task, so that no other owner starts it."""
    from cortexfs.operations.tasks.transitions import claim

    return _make_changed(claim(call.session, body.get("id"), _make_caller(call, body)))


def unclaim_task(call: Call, id: given.Ident, body: bodies.UnclaimBody) -> Answer:  # noqa: A002
    """Clear the claim of a task."""
    from cortexfs.operations.tasks.transitions import unclaim

    force = body.get("force", False)
    return _make_changed(unclaim(call.session, id, _make_caller(call, body), force=force))


def block_task(call: Call, id: given.Ident, body: bodies.BlockBody) -> Answer:  # noqa: A002
    """Block a task, and clear its claim."""
    from cortexfs.operations.tasks.transitions import block

    return _make_changed(block(call.session, id, body["by"], _make_caller(call, body)))


def unblock_task(call: Call, id: given.Ident, body: bodies.TaskBody) -> Answer:  # noqa: A002
    """Unblock a task."""
    from cortexfs.operations.tasks.transitions import unblock

    return _make_changed(unblock(call.session, id, _make_caller(call, body)))


def pause_task(call: Call, id: given.Ident, body: bodies.TaskBody) -> Answer:  # noqa: A002
    """Pause a task, and clear its claim."""
    from cortexfs.operations.tasks.transitions import pause

    return _make_changed(pause(call.session, id, _make_caller(call, body)))


def resume_task(call: Call, id: given.Ident, body: bodies.TaskBody) -> Answer:  # noqa: A002
    """Resume a paused task."""
    from cortexfs.operations.tasks.transitions import resume

    return _make_changed(resume(call.session, id, _make_caller(call, body)))


def approve_task(call: Call, id: given.Ident, body: bodies.TaskBody) -> Answer:  # noqa: A002
    """Approve a task that needs approval."""
    from cortexfs.operations.tasks.transitions import approve

    return _make_changed(approve(call.session, id, _make_caller(call, body)))


def finish_task(call: Call, id: given.Ident, body: bodies.FinishBody) -> Answer:  # noqa: A002
    """Finish a task."""
    from cortexfs.operations.tasks.transitions import finish

    note = body.get("note", "")
    return _make_changed(finish(call.session, id, note, _make_caller(call, body)))


def split_task(call: Call, id: given.Ident, body: bodies.SplitBody) -> Answer:  # noqa: A002
    """Split a task into parts, which must be done before it."""
    from cortexfs.operations.tasks.add_task import TaskPart
    from cortexfs.operations.tasks.add_task import split_task as split

    parts = [TaskPart(each["text"], each.get("done-when", "")) for each in body["parts"]]
    return _make_changed(split(call.session, id, parts, _make_caller(call, body)))


def lock_tasks(call: Call, body: bodies.LockBody) -> Answer:
    """Lock the tasks of a project while somebody edits TASKS.yaml by hand."""
    from cortexfs.operations.tasks.lock_tasks import lock_tasks as lock

    name, caller = _resolve_caller(call, body)
    minutes, note = body.get("minutes", DEFAULT_MINUTES), body.get("note", "")
    return _make_changed(lock(call.session, name, caller, minutes=minutes, note=note))


def unlock_tasks(call: Call, body: bodies.UnlockBody) -> Answer:
    """Unlock the tasks of a project."""
    from cortexfs.operations.tasks.lock_tasks import unlock_tasks as unlock

    name, caller = _resolve_caller(call, body)
    return _make_changed(unlock(call.session, name, caller, force=body.get("force", False)))


def archive_tasks(call: Call, body: ProjectsBody) -> Answer:
    """Move tasks that were finished more than three days ago to the archives."""
    from cortexfs.operations.tasks.archive_tasks import archive_tasks as archive

    names = _resolve(call, body.get("projects", []))
    return _make_changed(archive(call.session, names, _make_caller(call, {})))


def _resolve(call: Call, names: list[str]) -> list[str]:
    from cortexfs.operations.shared.resolve_names import resolve_scopes

    return resolve_scopes(call.session, names, NOWHERE)


def _resolve_caller(
    call: Call, body: bodies.LockBody | bodies.UnlockBody
) -> tuple[str, TaskCaller]:
    """Return the project of a body, which must exist, and who asks."""
    from cortexfs.operations.shared.resolve_names import require_project

    name = require_project(call.session, body["project"])
    return name, _make_caller(call, {"owner": body.get("owner", ""), "project": name})


def _make_caller(call: Call, body: bodies.TaskBody) -> TaskCaller:
    from cortexfs.operations.tasks.locked_change import TaskCaller

    owner = find_owner_name(body.get("owner") or None)
    return TaskCaller(owner, NOWHERE, body.get("project") or None, mode=call.mode)


def _make_list(found: TaskList) -> Answer:
    from cortexfs.interfaces.json.tasks import to_task_json
    from cortexfs.interfaces.json.tree_state import to_finding_json

    findings = list(map(to_finding_json, found.unreadable))
    tasks = [to_task_json(each.task, each.readiness) for each in found.tasks]
    return make_document(tasks=tasks, findings=findings or None)


def _make_changed(done: TaskChangeResult) -> Answer:
    from cortexfs.interfaces.json.tasks import to_task_json

    document = {
        "tasks": list(map(to_task_json, done.tasks)),
        "evidence": done.evidence or None,
        "notes": list(done.notes) or None,
    }
    return make_result(done.outcome, document)


_CHANGED, _CHANGE = documents.ChangedTasksDocument, Effect.CHANGE
_TASK = "/api/v1/tasks/{id}"
ENDPOINTS = (
    Endpoint("GET", "/api/v1/tasks", list_tasks, documents.TaskListDocument),
    Endpoint("GET", "/api/v1/tasks/next", list_next_tasks, documents.TaskListDocument),
    Endpoint("GET", "/api/v1/tasks/findings", check_tasks, tree_state.CheckDocument),
    Endpoint("POST", "/api/v1/tasks", add_task, _CHANGED, _CHANGE, 201),
    Endpoint("POST", "/api/v1/tasks/claim", claim_task, _CHANGED, _CHANGE),
    Endpoint("POST", "/api/v1/tasks/archive", archive_tasks, _CHANGED, _CHANGE),
    Endpoint("POST", "/api/v1/tasks/lock", lock_tasks, _CHANGED, _CHANGE),
    Endpoint("POST", "/api/v1/tasks/unlock", unlock_tasks, _CHANGED, _CHANGE),
    Endpoint("POST", f"{_TASK}/split", split_task, _CHANGED, _CHANGE),
    Endpoint("POST", f"{_TASK}/unclaim", unclaim_task, _CHANGED, _CHANGE),
    Endpoint("POST", f"{_TASK}/block", block_task, _CHANGED, _CHANGE),
    Endpoint("POST", f"{_TASK}/unblock", unblock_task, _CHANGED, _CHANGE),
    Endpoint("POST", f"{_TASK}/pause", pause_task, _CHANGED, _CHANGE),
    Endpoint("POST", f"{_TASK}/resume", resume_task, _CHANGED, _CHANGE),
    Endpoint("POST", f"{_TASK}/approve", approve_task, _CHANGED, _CHANGE),
    Endpoint("POST", f"{_TASK}/done", finish_task, _CHANGED, _CHANGE),
)
