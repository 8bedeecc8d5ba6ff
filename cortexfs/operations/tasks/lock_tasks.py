"""Lock the tasks of a project while a person edits them by hand, and unlock them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.tasks.edit_tasks import TasksEdit
from cortexfs.core.tasks.tasks_lock import acquire_lock, require_unlocked
from cortexfs.operations.tasks.locked_change import change_tasks, plan_board_edit
from cortexfs.operations.tasks.read_boards import read_boards

if TYPE_CHECKING:
    from cortexfs.operations.tasks.locked_change import TaskCaller, TaskChangeResult
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


def lock_tasks(
    session: Session, project: str, caller: TaskCaller, *, minutes: int, note: str
) -> TaskChangeResult:
    """Prevent changes by others to a project's tasks for some minutes."""

    def decide(view: View) -> TaskChangeResult:
        board = read_boards(view).get_board(project)
        lock = acquire_lock(board, caller.owner, view.clock(), minutes, note)
        return plan_board_edit(
            view, board, TasksEdit(lock_changes=lock), f"task lock {project}: {caller.owner}"
        )

    return change_tasks(session, decide, caller)


def unlock_tasks(
    session: Session, project: str, caller: TaskCaller, *, force: bool
) -> TaskChangeResult:
    """Allow changes to a project's tasks again; a missing lock is no error."""

    def decide(view: View) -> TaskChangeResult:
        board = read_boards(view).get_board(project)
        if not force:
            require_unlocked(board, caller.owner, view.clock())
        return plan_board_edit(
            view, board, TasksEdit(lock_changes=None), f"task unlock {project}: {caller.owner}"
        )

    return change_tasks(session, decide, caller)
