"""What claiming, blocking, finishing a task changes in it, and when that is refused."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from cortexfs.core.tasks.task import DONE, OPEN, PENDING
from cortexfs.core.tasks.task_fields import YES
from cortexfs.core.tasks.task_order import Stand
from cortexfs.core.tasks.task_times import day
from cortexfs.core.text.sanitize import one_line
from cortexfs.errors import Refused, TaskTaken

if TYPE_CHECKING:
    from datetime import date

    from cortexfs.core.tasks.task import Task
    from cortexfs.core.tasks.task_fields import Change
    from cortexfs.core.tasks.task_order import Backlog

    Changes = dict[str, Change]

STALE_DAYS = 3
"""A claim that is older is taken for forgotten: anybody may lift it."""

_UNCLAIMED: Changes = {"claimed-by": None, "claimed-at": None}
_NOT_PENDING: Changes = {"pending-at": None}


def claim(task: Task, owner: str, backlog: Backlog) -> Changes:
    """Take a task that is ready; raises `TaskTaken` where somebody has."""
    standing = backlog.standing(task)
    if standing.stand is Stand.CLAIMED:
        raise TaskTaken(task.id, standing.why)
    if standing.stand is not Stand.READY:
        raise Refused(f"task `{task.id}` {standing.why}", hint="`cortexfs task next` names another")
    return {"claimed-by": one_line(owner), "claimed-at": backlog.today.isoformat()}


def unclaim(task: Task, owner: str, today: date, *, force: bool) -> Changes:
    """Give a task back; somebody else's fresh claim only by force."""
    claimant = task.text("claimed-by").strip()
    if not claimant:
        raise Refused(f"task `{task.id}` is not claimed")
    if not (force or claimant == one_line(owner) or is_stale(task, today)):
        raise Refused(f"task `{task.id}` is claimed by {claimant}", hint="--force lifts the claim")
    return dict(_UNCLAIMED)


def block(task: Task, reason: str) -> Changes:
    """Say what a task cannot go on without; it is nobody's any more."""
    _refuse_done(task)
    if not one_line(reason):
        raise Refused("what is it blocked by?", hint="--by TEXT")
    opened: Changes = {"status": OPEN} if task.status == PENDING else {}
    return {**opened, "blocked-by": one_line(reason), **_UNCLAIMED, **_NOT_PENDING}


def unblock(task: Task) -> Changes:
    """Say that a task can go on: it is neither blocked nor pending."""
    _refuse_done(task)
    if task.status != PENDING and not task.flag("blocked-by"):
        raise Refused(f"task `{task.id}` is not blocked")
    opened: Changes = {"status": OPEN} if task.status == PENDING else {}
    return {**opened, "blocked-by": None, **_NOT_PENDING}


def pause(task: Task) -> Changes:
    """Lay a task aside; it is nobody's any more."""
    _refuse_done(task)
    if task.flag("paused"):
        raise Refused(f"task `{task.id}` is paused already")
    return {"paused": YES, **_UNCLAIMED}


def resume(task: Task) -> Changes:
    """Take up a task that was laid aside."""
    if not task.flag("paused"):
        raise Refused(f"task `{task.id}` is not paused")
    return {"paused": None}


def approve(task: Task, today: date) -> Changes:
    """Allow a task to be done."""
    _refuse_done(task)
    if not task.flag("approval-needed"):
        raise Refused(f"task `{task.id}` needs no approval")
    if when := task.text("approved-at").strip():
        raise Refused(f"task `{task.id}` is approved since {when}")
    return {"approved-at": today.isoformat()}


def done(task: Task, note: str, today: date) -> Changes:
    """Finish a task; one that is paused or blocked has to be taken up first."""
    _refuse_done(task)
    for flag, remedy in (("paused", "resume"), ("blocked-by", "unblock")):
        if task.flag(flag):
            how = "paused" if flag == "paused" else "blocked"
            raise Refused(f"task `{task.id}` is {how}", hint=f"`cortexfs task {remedy} {task.id}`")
    said: Changes = {"completed-note": one_line(note)} if one_line(note) else {}
    finished: Changes = {"status": DONE, "completed-at": today.isoformat()}
    return {**finished, **said, **_UNCLAIMED, **_NOT_PENDING}


def is_stale(task: Task, today: date) -> bool:
    """Tell whether a claim is taken for forgotten; one that does not say when is not."""
    claimed = day(task.text("claimed-at"))
    return claimed is not None and today - claimed > timedelta(days=STALE_DAYS)


def _refuse_done(task: Task) -> None:
    if task.status == DONE:
        raise Refused(f"task `{task.id}` is done")
