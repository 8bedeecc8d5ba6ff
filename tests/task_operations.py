"""Operations that people and agents do on the tasks of a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from operation_list import ROOT_FOLDER, pick, pick_project, pick_text

from cortexfs.operations.tasks import add_task, archive_tasks, lock_tasks, transitions
from cortexfs.operations.tasks.locked_change import TaskCaller
from cortexfs.operations.tasks.read_boards import read_boards

if TYPE_CHECKING:
    from collections.abc import Callable

    from operation_list import Operation, RandomChoice

    from cortexfs.session.session import Session

    Move = Callable[[Session, str, TaskCaller], object]


BOARD = """# what is next
tasks:   # in no order
- id: 3fa9   # the first
  text: "Spin: faster"
  status: done
  completed-at: 2026-05-01
- {id: b07c, text: Spin longer, status: open, approval-needed: true}
- {id: b07d, text: Spin higher, status: open}
- {id: b07e, text: Spin later, status: open, paused: true}
- {id: b07f, text: Spin lower, status: open, blocked-by: the press}

-   id: c001
    text: Spin
    status: open
    claimed-by: ada
    claimed-at: 2026-05-01
    x-unknown: {kept: [as, it, is]}
"""


def pick_caller(choice: RandomChoice) -> TaskCaller:
    return TaskCaller(pick(("ada", "bo"), choice.by), ROOT_FOLDER)


def pick_task(session: Session, at: int) -> str:
    """Return the id of a task."""
    every = [f"{each.project}/{each.id}" for each in read_boards(session).backlog.tasks]
    return pick(every or ["flywheel/0000"], at)


def add_any_task(session: Session, choice: RandomChoice) -> object:
    other = pick_task(session, choice.by)
    draft = add_task.TaskDraft(
        f"Fix {pick_text(choice)}",
        depends_on=[other] if choice.word % 3 == 0 else [],
        parent=other if choice.word % 4 == 0 else "",
        needs_approval=choice.word % 7 == 0,
    )
    return add_task.add_task(session, pick_project(session, choice), draft, pick_caller(choice))


def split_any_task(session: Session, choice: RandomChoice) -> object:
    parts = [
        add_task.TaskPart(f"Part {pick_text(choice)}"),
        add_task.TaskPart("Rest", "STATUS.md says so"),
    ]
    return add_task.split_task(session, pick_task(session, choice.at), parts, pick_caller(choice))


def make_transition(move: Move) -> Operation:
    return lambda session, choice: move(session, pick_task(session, choice.at), pick_caller(choice))


OPERATIONS: dict[str, Operation] = {
    "task add": add_any_task,
    "task claim": make_transition(transitions.claim),
    "task claim the next": lambda session, choice: transitions.claim(
        session, None, pick_caller(choice)
    ),
    "task unclaim": make_transition(
        lambda session, ident, who: transitions.unclaim(session, ident, who, force=False)
    ),
    "task block": make_transition(
        lambda session, ident, who: transitions.block(session, ident, "a: b", who)
    ),
    "task unblock": make_transition(transitions.unblock),
    "task pause": make_transition(transitions.pause),
    "task resume": make_transition(transitions.resume),
    "task approve": make_transition(transitions.approve),
    "task done": make_transition(
        lambda session, ident, who: transitions.finish(session, ident, "it hums", who)
    ),
    "task split": split_any_task,
    "task archive": lambda session, choice: archive_tasks.archive_tasks(
        session, session.tree.list_projects(), pick_caller(choice)
    ),
    "task lock": lambda session, choice: lock_tasks.lock_tasks(
        session,
        pick_project(session, choice),
        pick_caller(choice),
        minutes=20,
        note=pick_text(choice),
    ),
    "task unlock": lambda session, choice: lock_tasks.unlock_tasks(
        session, pick_project(session, choice), pick_caller(choice), force=bool(choice.word % 2)
    ),
}
"""By the typed command."""
