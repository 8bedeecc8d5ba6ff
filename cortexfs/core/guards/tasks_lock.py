"""Whether an agent may edit a TASKS.yaml: only who holds its lock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.guards.verdict import FREE, Verdict
from cortexfs.core.tasks.file_lock import holder
from cortexfs.core.text.sanitize import one_line

if TYPE_CHECKING:
    from datetime import datetime

    from cortexfs.core.tasks.task import Board

_BETTER = "`cortexfs task add`, `claim`, `done`, `block` and others change it and keep it whole"


def judge_tasks(board: Board | Flaw, caller: str, now: datetime) -> Verdict:
    """Let a TASKS.yaml be edited by who holds its lock; one that is broken, by everybody."""
    if isinstance(board, Flaw) or board.text is None:
        return FREE
    held = holder(board, now)
    if held == caller:
        return FREE
    if held:
        until = one_line(str(board.lock["expires_at"]))
        wait = f"Wait until {until}, or ask whoever that is."
        return Verdict(denied=f"{board.path} is locked by `{one_line(held)}`. {wait}")
    lock = f"To edit it by hand: `cortexfs task lock -p {board.project}`, and `unlock` when done."
    return Verdict(denied=f"{board.path} is not edited without its lock. {_BETTER}. {lock}")
