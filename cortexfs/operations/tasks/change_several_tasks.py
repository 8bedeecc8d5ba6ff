"""Change one task or several in one commit, which one undo takes back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.tasks import task_transitions as rules
from cortexfs.core.tasks.task_transitions import TaskVerb
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import CortexError, Usage
from cortexfs.operations.tasks.locked_change import TaskChangeResult, plan_task_change
from cortexfs.operations.tasks.read_boards import find_task
from cortexfs.session.view import render_no_indexes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.tasks.task_and_board import Task
    from cortexfs.core.tasks.task_readiness import Backlog
    from cortexfs.core.tasks.task_transitions import Changes
    from cortexfs.operations.tasks.read_boards import Boards
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

MAX_TASKS = 200
"""Maximum number of tasks that are changed at once."""
MAX_NAMED = 5
"""Maximum number of tasks that the message of a commit names."""


class TasksRequest(NamedTuple):
    """The tasks, as `project/id`, and what is done to them.

    `text` is the reason of a block, the note of what is done, or whom a task is assigned to.
    `owner` is who asks; a person may clear the claims of others.
    """

    tasks: tuple[str, ...]
    verb: TaskVerb
    text: str
    owner: str


class TasksResult(NamedTuple):
    """The planned changes, the refused tasks with the reason, and the outcome (None: none)."""

    changed: tuple[TaskChangeResult, ...]
    refused: tuple[tuple[str, CortexError], ...]
    outcome: Outcome | None = None


def change_several_tasks(
    session: Session, request: TasksRequest, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> TasksResult:
    """Change some tasks; a refused one does not stop the others.

    Raises `Usage` without tasks, or with too many.
    """
    if not request.tasks or len(request.tasks) > MAX_TASKS:
        raise Usage(f"select 1 to {MAX_TASKS} tasks")
    decides = [partial(_decide, request=request, typed=typed) for typed in request.tasks]
    if len(decides) == 1:
        result, outcome = _execute(session, decides[0], mode)
        return _collect(request, [result], outcome)
    named = ", ".join(request.tasks[:MAX_NAMED])
    more = f" and {len(decides) - MAX_NAMED} more" if len(decides) > MAX_NAMED else ""
    message = to_one_line(f"task {request.verb} {named}{more}")
    results, outcome = session.execute_all(decides, message, mode, render=render_no_indexes)
    return _collect(request, results, None if mode.is_dry_run else outcome)


def _execute(
    session: Session, decide: partial[TaskChangeResult], mode: ExecutionMode
) -> tuple[TaskChangeResult | CortexError, Outcome | None]:
    """Return a planned or executed change, or why it was refused, and its outcome."""
    try:
        done = session.execute(decide, mode, render=render_no_indexes)
    except CortexError as error:
        return error, None
    return done.result, done.outcome


def _collect(
    request: TasksRequest,
    results: list[TaskChangeResult | CortexError],
    outcome: Outcome | None,
) -> TasksResult:
    pairs = list(zip(request.tasks, results, strict=True))
    changed = tuple(each for _, each in pairs if isinstance(each, TaskChangeResult))
    refused = tuple((typed, each) for typed, each in pairs if isinstance(each, CortexError))
    return TasksResult(changed, refused, outcome if changed else None)


def _decide(view: View, request: TasksRequest, typed: str) -> TaskChangeResult:
    def decide(task: Task, boards: Boards) -> Changes:
        return _CHANGES[request.verb](task, request, boards.backlog)

    return plan_task_change(
        view, request.verb, lambda boards: find_task(boards, typed), decide, request.owner
    )


_CHANGES: Mapping[TaskVerb, Callable[[Task, TasksRequest, Backlog], Changes]] = {
    TaskVerb.CLAIM: lambda task, by, all_tasks: rules.claim_task(task, by.owner, all_tasks),
    TaskVerb.ASSIGN: lambda task, by, all_tasks: rules.assign_task(task, by.text, all_tasks),
    TaskVerb.UNCLAIM: lambda task, by, all_tasks: rules.unclaim_task(
        task, by.owner, all_tasks.today, force=True
    ),
    TaskVerb.APPROVE: lambda task, _, all_tasks: rules.approve_task(task, all_tasks.today),
    TaskVerb.UNBLOCK: lambda task, *_: rules.unblock_task(task),
    TaskVerb.RESUME: lambda task, *_: rules.resume_task(task),
    TaskVerb.DONE: lambda task, by, all_tasks: rules.finish_task(task, by.text, all_tasks.today),
    TaskVerb.BLOCK: lambda task, by, _: rules.block_task(task, by.text),
    TaskVerb.PAUSE: lambda task, *_: rules.pause_task(task),
}
