"""The changes made by claiming, blocking or finishing a task, and when they are refused."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from cortexfs.core.tasks.task_and_board import DONE, OPEN, PENDING
from cortexfs.core.tasks.task_fields import YES
from cortexfs.core.tasks.task_readiness import TaskState
from cortexfs.core.tasks.task_times import parse_day_or_none
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Refused, TaskTaken

if TYPE_CHECKING:
    from datetime import date

    from cortexfs.core.tasks.task_and_board import Task
    from cortexfs.core.tasks.task_fields import FieldChange
    from cortexfs.core.tasks.task_readiness import Backlog

    Changes = dict[str, FieldChange]


class TaskVerb(StrEnum):
    """What can be done to a task."""

    CLAIM = "claim"
    ASSIGN = "assign"
    UNCLAIM = "unclaim"
    APPROVE = "approve"
    UNBLOCK = "unblock"
    RESUME = "resume"
    DONE = "done"
    BLOCK = "block"
    PAUSE = "pause"


STALE_CLAIM_DAYS = 3
"""Age in days above which a claim counts as forgotten: anyone may clear it."""

_UNCLAIMED: Changes = {"claimed-by": None, "claimed-at": None}
_NOT_PENDING: Changes = {"pending-at": None}


def list_allowed_verbs(task: Task, state: TaskState) -> tuple[TaskVerb, ...]:
    """Return what would not be refused for a task in a state, by a person who may clear claims."""
    is_open = task.status != DONE
    is_paused, is_blocked = task.has_flag("paused"), task.has_flag("blocked-by")
    needs_approval = task.has_flag("approval-needed") and not task.text_field("approved-at").strip()
    allowed = {
        TaskVerb.CLAIM: state is TaskState.READY,
        TaskVerb.ASSIGN: state in {TaskState.READY, TaskState.CLAIMED},
        TaskVerb.UNCLAIM: bool(task.text_field("claimed-by").strip()),
        TaskVerb.APPROVE: is_open and needs_approval,
        TaskVerb.UNBLOCK: is_open and (is_blocked or task.status == PENDING),
        TaskVerb.RESUME: is_paused,
        TaskVerb.DONE: is_open and not is_paused and not is_blocked,
        TaskVerb.BLOCK: is_open,
        TaskVerb.PAUSE: is_open and not is_paused,
    }
    return tuple(verb for verb, is_allowed in allowed.items() if is_allowed)


def assign_task(task: Task, owner: str, backlog: Backlog) -> Changes:
    """Claim a ready or claimed task for somebody; raises `Refused` without a name."""
    if not to_one_line(owner):
        raise Refused("no owner is named")
    if backlog.assess_readiness(task).state is TaskState.CLAIMED:
        return {"claimed-by": to_one_line(owner), "claimed-at": backlog.today.isoformat()}
    return claim_task(task, owner, backlog)


def claim_task(task: Task, owner: str, backlog: Backlog) -> Changes:
    """Claim a ready task.

    Raises `TaskTaken` if it is claimed, and `Refused` if it is not ready.
    """
    readiness = backlog.assess_readiness(task)
    if readiness.state is TaskState.CLAIMED:
        raise TaskTaken(task.id, readiness.reason)
    if readiness.state is not TaskState.READY:
        raise Refused(
            f"task `{task.id}` {readiness.reason}", hint="`cortexfs task next` shows another"
        )
    return {"claimed-by": to_one_line(owner), "claimed-at": backlog.today.isoformat()}


def unclaim_task(task: Task, owner: str, today: date, *, force: bool) -> Changes:
    """Clear a claim; a recent claim of someone else only with `force`."""
    claimant = task.text_field("claimed-by").strip()
    if not claimant:
        raise Refused(f"task `{task.id}` is not claimed")
    if not (force or claimant == to_one_line(owner) or is_claim_stale(task, today)):
        raise Refused(f"task `{task.id}` is claimed by {claimant}", hint="--force clears the claim")
    return dict(_UNCLAIMED)


def block_task(task: Task, reason: str) -> Changes:
    """Block a task with a reason; its claim is cleared."""
    _refuse_done(task)
    if not to_one_line(reason):
        raise Refused("no reason is given", hint="add --by TEXT")
    opened: Changes = {"status": OPEN} if task.status == PENDING else {}
    return {**opened, "blocked-by": to_one_line(reason), **_UNCLAIMED, **_NOT_PENDING}


def unblock_task(task: Task) -> Changes:
    """Unblock a task: it is neither blocked nor pending."""
    _refuse_done(task)
    if task.status != PENDING and not task.has_flag("blocked-by"):
        raise Refused(f"task `{task.id}` is not blocked")
    opened: Changes = {"status": OPEN} if task.status == PENDING else {}
    return {**opened, "blocked-by": None, **_NOT_PENDING}


def pause_task(task: Task) -> Changes:
    """Pause a task; its claim is cleared."""
    _refuse_done(task)
    if task.has_flag("paused"):
        raise Refused(f"task `{task.id}` is already paused")
    return {"paused": YES, **_UNCLAIMED}


def resume_task(task: Task) -> Changes:
    """Resume a paused task."""
    if not task.has_flag("paused"):
        raise Refused(f"task `{task.id}` is not paused")
    return {"paused": None}


def approve_task(task: Task, today: date) -> Changes:
    """Approve a task that needs approval."""
    _refuse_done(task)
    if not task.has_flag("approval-needed"):
        raise Refused(f"task `{task.id}` needs no approval")
    if when := task.text_field("approved-at").strip():
        raise Refused(f"task `{task.id}` was approved on {when}")
    return {"approved-at": today.isoformat()}


def finish_task(task: Task, note: str, today: date) -> Changes:
    """Finish a task; raises `Refused` if it is paused, blocked or done."""
    _refuse_done(task)
    for flag, remedy in (("paused", "resume"), ("blocked-by", "unblock")):
        if task.has_flag(flag):
            how = "paused" if flag == "paused" else "blocked"
            raise Refused(f"task `{task.id}` is {how}", hint=f"`cortexfs task {remedy} {task.id}`")
    note_change: Changes = {"completed-note": to_one_line(note)} if to_one_line(note) else {}
    finished: Changes = {"status": DONE, "completed-at": today.isoformat()}
    return {**finished, **note_change, **_UNCLAIMED, **_NOT_PENDING}


def is_claim_stale(task: Task, today: date) -> bool:
    """Return whether a claim counts as forgotten; a claim without a date does not."""
    claimed = parse_day_or_none(task.text_field("claimed-at"))
    return claimed is not None and today - claimed > timedelta(days=STALE_CLAIM_DAYS)


def _refuse_done(task: Task) -> None:
    if task.status == DONE:
        raise Refused(f"task `{task.id}` is done")
