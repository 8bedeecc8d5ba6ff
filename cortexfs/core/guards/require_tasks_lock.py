"""Whether an agent may edit a TASKS.yaml: only the holder of its lock may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.guards.judge_size_and_secrets import ALLOWED, Verdict
from cortexfs.core.tasks.tasks_lock import find_lock_holder
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from datetime import datetime

    from cortexfs.core.tasks.task_and_board import TaskBoard

_COMMANDS_HINT = "Use `cortexfs task add`, `claim`, `done`, `block` and others, which keep it valid"


def judge_tasks_edit(board: TaskBoard | Flaw, caller: str, now: datetime) -> Verdict:
    """Allow the holder of the lock to edit a TASKS.yaml, and anyone to edit a broken one."""
    if isinstance(board, Flaw) or board.text is None:
        return ALLOWED
    holder = find_lock_holder(board, now)
    if holder == caller:
        return ALLOWED
    if holder:
        until = to_one_line(str(board.lock["expires_at"]))
        wait = f"Wait until {until}, or ask the owner to unlock it."
        return Verdict(denial=f"{board.path} is locked by `{to_one_line(holder)}`. {wait}")
    lock = (
        f"To edit it by hand, run `cortexfs task lock -p {board.project}`, and `unlock` after it."
    )
    return Verdict(
        denial=f"{board.path} can be edited only by the owner of its lock. {_COMMANDS_HINT}. {lock}"
    )
