"""Plan a change of a TASKS.yaml under the lock of the tree, without concurrent changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, Write, attach_outcome
from cortexfs.core.tasks.edit_tasks import TasksEdit, edit_tasks
from cortexfs.core.tasks.task_and_board import parse_board
from cortexfs.core.tasks.tasks_lock import require_unlocked
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes
from cortexfs.operations.tasks.read_boards import read_boards
from cortexfs.session.view import render_no_indexes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.tasks.task_and_board import Task, TaskBoard
    from cortexfs.core.tasks.task_transitions import Changes
    from cortexfs.operations.tasks.read_boards import Boards
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View

    Choose = Callable[[Boards], Task]
    Decide = Callable[[Task, Boards], Changes]


class TaskCaller(NamedTuple):
    """The caller, the working directory, and the project (None: the current one, or all).

    `mode` is the write mode of the change.
    """

    owner: str
    cwd: str
    project: str | None = None
    mode: ExecutionMode = ExecutionMode.COMMIT


class TaskChangeResult(NamedTuple):
    """The result of a change: the tasks afterwards, and messages for the user.

    `previous` is the task before the change, if one was changed. `evidence` shows that a task is
    done. `outcome` is None after a dry run.
    """

    tasks: tuple[Task, ...]
    plan: Plan
    notes: tuple[str, ...] = ()
    previous: Task | None = None
    evidence: str = ""
    outcome: Outcome | None = None


def change_tasks(
    session: Session, decide: Callable[[View], TaskChangeResult], caller: TaskCaller
) -> TaskChangeResult:
    """Execute a change of boards, and report which user changes the commit includes."""
    result = attach_outcome(session.execute(decide, caller.mode, render=render_no_indexes))
    own_changes = result.outcome.own_changes if result.outcome else ()
    notes = (
        f"{path} had uncommitted changes of your own: they are in this commit"
        for path in own_changes
    )
    return result._replace(notes=(*result.notes, *notes))


def change_task(
    session: Session, verb: str, choose: Choose, decide: Decide, caller: TaskCaller
) -> TaskChangeResult:
    """Choose a task and change it, unless another owner keeps its board locked."""

    def decide_change(view: View) -> TaskChangeResult:
        return plan_task_change(view, verb, choose, decide, caller.owner)

    return change_tasks(session, decide_change, caller)


def plan_task_change(
    view: View, verb: str, choose: Choose, decide: Decide, owner: str
) -> TaskChangeResult:
    """Plan a change of one task; raise `TasksLocked` if another owner keeps its board locked."""
    boards = read_boards(view)
    task = choose(boards)
    board = boards.get_board(task.project)
    require_unlocked(board, owner, view.clock())
    edit = TasksEdit(task_changes={task.position: decide(task, boards)})
    message = f"task {verb} {task.id}: {task.description}"
    result = plan_board_edit(view, board, edit, message, (task.position,))
    return result._replace(previous=task)


def plan_board_edit(
    view: TreeFilesAndGit,
    board: TaskBoard,
    edit: TasksEdit,
    message: str,
    shown_positions: Collection[int] = (),
) -> TaskChangeResult:
    """Plan one edit of one board, and return the tasks at some positions afterwards."""
    text = edit_tasks(board.path, board.text or "", edit)
    after = parse_board(board.project, text)
    tasks = () if isinstance(after, Flaw) else after.tasks
    writes = [Write(board.path, text, board.text)] if text != board.text else []
    plan = Plan(to_one_line(message), tuple(add_derived_writes(view, writes) if writes else ()))
    return TaskChangeResult(tuple(task for task in tasks if task.position in shown_positions), plan)
