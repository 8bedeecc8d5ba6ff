"""What people and agents do to the tasks of a tree, as the dice fall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from operation_list import ABOVE, pick, place, words

from cortexfs.core.tasks.task_fields import YES
from cortexfs.operations.tasks import add_task, archive_tasks, lock_tasks, transitions
from cortexfs.operations.tasks.locked_change import TaskCaller
from cortexfs.operations.tasks.read_boards import read_boards

if TYPE_CHECKING:
    from collections.abc import Callable

    from operation_list import Deed, Dice

    from cortexfs.core.tasks.task_fields import FieldValue
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


def by(dice: Dice) -> TaskCaller:
    return TaskCaller(pick(("ada", "bo"), dice.by), ABOVE)


def task(session: Session, at: int) -> str:
    """Give the id of a task."""
    every = [f"{each.project}/{each.id}" for each in read_boards(session).backlog.tasks]
    return pick(every or ["flywheel/0000"], at)


def task_added(session: Session, dice: Dice) -> object:
    other = task(session, dice.by)
    fields: dict[str, FieldValue] = {
        "text": f"Mend {words(dice)}",
        "depends-on": [other] if dice.word % 3 == 0 else [],
        "parent": other if dice.word % 4 == 0 else "",
        "approval-needed": YES if dice.word % 7 == 0 else "",
    }
    return add_task.add_task(session, place(session, dice), fields, by(dice))


def task_split(session: Session, dice: Dice) -> object:
    parts = [
        add_task.TaskPart(f"Part {words(dice)}"),
        add_task.TaskPart("Rest", "STATUS.md says so"),
    ]
    return add_task.split_task(session, task(session, dice.at), parts, by(dice))


def moved(move: Move) -> Deed:
    return lambda session, dice: move(session, task(session, dice.at), by(dice))


DEEDS: dict[str, Deed] = {
    "task add": task_added,
    "task claim": moved(transitions.claim),
    "task claim the next": lambda session, dice: transitions.claim(session, None, by(dice)),
    "task unclaim": moved(
        lambda session, ident, who: transitions.unclaim(session, ident, who, force=False)
    ),
    "task block": moved(lambda session, ident, who: transitions.block(session, ident, "a: b", who)),
    "task unblock": moved(transitions.unblock),
    "task pause": moved(transitions.pause),
    "task resume": moved(transitions.resume),
    "task approve": moved(transitions.approve),
    "task done": moved(
        lambda session, ident, who: transitions.finish(session, ident, "it hums", who)
    ),
    "task split": task_split,
    "task archive": lambda session, dice: archive_tasks.archive_tasks(
        session, session.tree.list_projects(), by(dice)
    ),
    "task lock": lambda session, dice: lock_tasks.lock_tasks(
        session, place(session, dice), by(dice), minutes=20, note=words(dice)
    ),
    "task unlock": lambda session, dice: lock_tasks.unlock_tasks(
        session, place(session, dice), by(dice), force=bool(dice.word % 2)
    ),
}
"""By what a person would type."""
