"""What is offered for a task is what is not refused, and nothing else."""

from __future__ import annotations

from datetime import date
from itertools import product

from cortexfs.core.tasks import task_transitions as transitions
from cortexfs.core.tasks.task_and_board import Task
from cortexfs.core.tasks.task_readiness import Backlog
from cortexfs.core.tasks.task_transitions import TaskVerb, list_allowed_verbs
from cortexfs.errors import CortexError

TODAY = date(2026, 5, 6)
CHOICES = {
    "status": ("open", "done", "pending"),
    "claimed-by": ("", "ada"),
    "paused": ("", "true"),
    "blocked-by": ("", "the press"),
    "approval-needed": ("", "true"),
    "approved-at": ("", "2026-05-01"),
    "not-before": ("", "2030-01-01"),
}


def is_refused(task: Task, backlog: Backlog, verb: TaskVerb) -> bool:
    attempts = {
        TaskVerb.CLAIM: lambda: transitions.claim_task(task, "me", backlog),
        TaskVerb.ASSIGN: lambda: transitions.assign_task(task, "bo", backlog),
        TaskVerb.UNCLAIM: lambda: transitions.unclaim_task(task, "me", TODAY, force=True),
        TaskVerb.APPROVE: lambda: transitions.approve_task(task, TODAY),
        TaskVerb.UNBLOCK: lambda: transitions.unblock_task(task),
        TaskVerb.RESUME: lambda: transitions.resume_task(task),
        TaskVerb.DONE: lambda: transitions.finish_task(task, "", TODAY),
        TaskVerb.BLOCK: lambda: transitions.block_task(task, "rain"),
        TaskVerb.PAUSE: lambda: transitions.pause_task(task),
    }
    try:
        attempts[verb]()
    except CortexError:
        return True
    return False


def test_what_is_offered_is_exactly_what_is_not_refused() -> None:
    for values in product(*CHOICES.values()):
        fields = {"id": "3fa9", "text": "Spin", **dict(zip(CHOICES, values, strict=True))}
        task = Task("driftwood", 0, 1, fields)
        backlog = Backlog.from_tasks([task], frozenset(), {}, TODAY)
        offered = list_allowed_verbs(task, backlog.assess_readiness(task).state)
        allowed = [verb for verb in TaskVerb if not is_refused(task, backlog, verb)]
        assert sorted(offered) == sorted(allowed), fields
