"""Change the state of a task: claim, block, pause, resume, approve, finish."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.tasks import task_transitions
from cortexfs.core.tasks.tasks_lock import find_lock_holder
from cortexfs.errors import Refused
from cortexfs.operations.shared.resolve_names import resolve_scope
from cortexfs.operations.tasks.find_completion_evidence import find_completion_evidence
from cortexfs.operations.tasks.locked_change import change_task
from cortexfs.operations.tasks.read_boards import find_task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cortexfs.core.tasks.task_and_board import Task
    from cortexfs.core.tasks.task_transitions import Changes
    from cortexfs.operations.tasks.locked_change import TaskCaller, TaskChangeResult
    from cortexfs.operations.tasks.read_boards import Boards
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit


def claim(session: Session, typed: str | None, caller: TaskCaller) -> TaskChangeResult:
    """Claim a task, or the next ready one; raise `TaskTaken` if another owner has it."""

    def choose(boards: Boards) -> Task:
        return (
            find_task(boards, typed, caller.project)
            if typed
            else _choose_next_task(session, boards, caller)
        )

    def decide(task: Task, boards: Boards) -> Changes:
        return task_transitions.claim_task(task, caller.owner, boards.backlog)

    return change_task(session, "claim", choose, decide, caller)


def unclaim(session: Session, typed: str, caller: TaskCaller, *, force: bool) -> TaskChangeResult:
    """Release a claimed task."""
    today = session.clock().date()

    def changes(task: Task) -> Changes:
        return task_transitions.unclaim_task(task, caller.owner, today, force=force)

    return _change_by_id(session, "unclaim", typed, changes, caller)


def block(session: Session, typed: str, reason: str, caller: TaskCaller) -> TaskChangeResult:
    """Mark a task as blocked, with the reason."""
    return _change_by_id(
        session, "block", typed, lambda task: task_transitions.block_task(task, reason), caller
    )


def unblock(session: Session, typed: str, caller: TaskCaller) -> TaskChangeResult:
    """Mark a task as no longer blocked."""
    return _change_by_id(session, "unblock", typed, task_transitions.unblock_task, caller)


def pause(session: Session, typed: str, caller: TaskCaller) -> TaskChangeResult:
    """Pause a task."""
    return _change_by_id(session, "pause", typed, task_transitions.pause_task, caller)


def resume(session: Session, typed: str, caller: TaskCaller) -> TaskChangeResult:
    """Resume a paused task."""
    return _change_by_id(session, "resume", typed, task_transitions.resume_task, caller)


def approve(session: Session, typed: str, caller: TaskCaller) -> TaskChangeResult:
    """Approve a task."""
    today = session.clock().date()
    return _change_by_id(
        session, "approve", typed, lambda task: task_transitions.approve_task(task, today), caller
    )


def finish(session: Session, typed: str, note: str, caller: TaskCaller) -> TaskChangeResult:
    """Finish a task, whether or not evidence is found."""
    today = session.clock().date()

    def changes(task: Task) -> Changes:
        return task_transitions.finish_task(task, note, today)

    result = _change_by_id(session, "done", typed, changes, caller)
    if result.previous is None:
        return result
    evidence = find_completion_evidence(session, result.previous, caller.cwd)
    notes = (*result.notes, *_list_warnings(result.previous, evidence, caller.owner))
    return result._replace(notes=notes, evidence=evidence)


def _change_by_id(
    session: Session, verb: str, typed: str, changes: Callable[[Task], Changes], caller: TaskCaller
) -> TaskChangeResult:
    """Change the task with a given id."""
    return change_task(
        session,
        verb,
        lambda boards: find_task(boards, typed, caller.project),
        lambda task, _: changes(task),
        caller,
    )


def _choose_next_task(view: TreeFilesAndGit, boards: Boards, caller: TaskCaller) -> Task:
    """Return the most urgent task that is ready and not locked by another owner."""
    now = view.clock()
    for task in boards.backlog.list_ready_tasks(resolve_scope(view, caller.project, caller.cwd)):
        if find_lock_holder(boards.get_board(task.project), now) in {"", caller.owner}:
            return task
    raise Refused("no task is ready", hint="`cortexfs task list` shows what each waits for")


def _list_warnings(task: Task, evidence: str, owner: str) -> Iterator[str]:
    claimant = task.text_field("claimed-by").strip()
    if claimant and claimant != owner:
        yield f"it was claimed by {claimant}; you, {owner}, finished it"
    if not evidence:
        yield f"no commit names `{task.id}`, and no path in its done-when exists"
