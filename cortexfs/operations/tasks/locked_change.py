"""Plan a change of a TASKS.yaml under the lock of the tree: nobody gets in between."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.changes.plan import Mode, Plan, Write, with_outcome
from cortexfs.core.tasks.edit_tasks import Edit, edit
from cortexfs.core.tasks.file_lock import refuse_locked
from cortexfs.core.tasks.task import read_board
from cortexfs.core.text.sanitize import one_line
from cortexfs.operations.shared.derived_files import with_listings
from cortexfs.operations.tasks.read_boards import read_boards
from cortexfs.session.view import nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.tasks.task import Board, Task
    from cortexfs.core.tasks.transitions import Changes
    from cortexfs.operations.tasks.read_boards import Boards
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView, View

    Choose = Callable[[Boards], Task]
    Decide = Callable[[Task, Boards], Changes]


class Asking(NamedTuple):
    """Who asks, from which working directory, and about which project (None: that one, or all).

    `mode` is how far the change goes.
    """

    owner: str
    cwd: str
    project: str | None = None
    mode: Mode = Mode.COMMIT


class Changed(NamedTuple):
    """What came of a change: the tasks as they are then, and what a person should know.

    `evidence` is what speaks for a task's being done; `outcome` is None after a dry run.
    """

    tasks: tuple[Task, ...]
    plan: Plan
    notes: tuple[str, ...] = ()
    evidence: str = ""
    outcome: Outcome | None = None


def change(session: Session, decide: Callable[[View], Changed], by: Asking) -> Changed:
    """Do what is decided of boards, and say whose own changes came along."""
    done = with_outcome(session.execute(decide, by.mode, render=nothing))
    own = done.outcome.own_changes if done.outcome else ()
    notes = (f"{path} held changes of your own: they come along" for path in own)
    return done._replace(notes=(*done.notes, *notes))


def change_one(session: Session, verb: str, choose: Choose, decide: Decide, by: Asking) -> Changed:
    """Choose a task and change it, where nobody else keeps its board locked."""

    def changed(view: View) -> Changed:
        boards = read_boards(view)
        task = choose(boards)
        board = boards.of(task.project)
        refuse_locked(board, by.owner, view.clock())
        asked = Edit(changes={task.at: decide(task, boards)})
        message = f"task {verb} {task.id}: {task.said}"
        return planned(view, board, asked, message, (task.at,))

    return change(session, changed, by)


def planned(
    view: FileView, board: Board, asked: Edit, message: str, shown: Collection[int] = ()
) -> Changed:
    """Plan one edit of one board, and give the tasks of these places as they are then."""
    text = edit(board.path, board.text or "", asked)
    after = read_board(board.project, text)
    tasks = () if isinstance(after, Flaw) else after.tasks
    writes = [Write(board.path, text, board.text)] if text != board.text else []
    plan = Plan(one_line(message), tuple(with_listings(view, writes) if writes else ()))
    return Changed(tuple(task for task in tasks if task.at in shown), plan)
