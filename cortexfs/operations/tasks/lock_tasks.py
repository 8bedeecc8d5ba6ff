"""Lock the tasks of a project while somebody edits them by hand, and let go again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.tasks.edit_tasks import Edit
from cortexfs.core.tasks.file_lock import acquire, refuse_locked
from cortexfs.operations.tasks.locked_change import change, planned
from cortexfs.operations.tasks.read_boards import read_boards

if TYPE_CHECKING:
    from cortexfs.operations.tasks.locked_change import Asking, Changed
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


def lock(session: Session, project: str, by: Asking, *, minutes: int, note: str) -> Changed:
    """Keep others from changing a project's tasks for some minutes."""

    def decide(view: View) -> Changed:
        board = read_boards(view).of(project)
        said = acquire(board, by.owner, view.clock(), minutes, note)
        return planned(view, board, Edit(lock=said), f"task lock {project}: {by.owner}")

    return change(session, decide, by)


def unlock(session: Session, project: str, by: Asking, *, force: bool) -> Changed:
    """Let others change a project's tasks again; a lock that is not there is away."""

    def decide(view: View) -> Changed:
        board = read_boards(view).of(project)
        if not force:
            refuse_locked(board, by.owner, view.clock())
        return planned(view, board, Edit(lock=None), f"task unlock {project}: {by.owner}")

    return change(session, decide, by)
