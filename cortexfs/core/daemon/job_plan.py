"""One job in a running daemon: when it is due on a clock that never jumps."""

from __future__ import annotations

from typing import NamedTuple

from cortexfs.core.daemon.job_schedule import (
    JobRecord,
    JobRule,
    Trigger,
    compute_delay_s,
    spread_after_gap,
)

MAX_QUIETS = 6
"""A job runs after this many quiet times, even if its triggers never pause."""


class JobPlan(NamedTuple):
    """The rule and the record of a job, and what makes it due.

    `time_due` is when time does (None: never), `first_trigger` and `last_trigger` when it was
    triggered since its last start.
    """

    rule: JobRule
    record: JobRecord = JobRecord()
    time_due: float | None = None
    first_trigger: float | None = None
    last_trigger: float = 0.0

    @property
    def due(self) -> float | None:
        """When the job is due; None if nothing makes it due."""
        if self.record.breaker.failures or self.first_trigger is None:
            return self.time_due
        quiet_s = self.rule.quiet_s
        triggered = min(self.last_trigger + quiet_s, self.first_trigger + MAX_QUIETS * quiet_s)
        return triggered if self.time_due is None else min(triggered, self.time_due)

    def is_due(self, now: float) -> bool:
        """Return whether the job is due now."""
        return self.due is not None and self.due <= now


class TwoClocks(NamedTuple):
    """The time of day, and of the clock that never jumps, both in seconds."""

    wall: float
    boot: float


def plan_job(rule: JobRule, record: JobRecord, now: TwoClocks, jitter: float) -> JobPlan:
    """Return the plan of a job with this record, which may be that of an earlier daemon."""
    delay_s = compute_delay_s(rule, record, now.wall, jitter)
    return JobPlan(rule, record, None if delay_s is None else now.boot + delay_s)


def add_trigger(plan: JobPlan, trigger: Trigger, boot: float) -> JobPlan:
    """Return the plan after something happened; it changes only if the rule names the trigger."""
    if trigger not in plan.rule.triggers:
        return plan
    first = boot if plan.first_trigger is None else plan.first_trigger
    return plan._replace(first_trigger=first, last_trigger=boot)


def start_job(plan: JobPlan, record: JobRecord) -> JobPlan:
    """Return the plan while the job runs: a trigger from now on makes it due again."""
    return plan._replace(record=record, time_due=None, first_trigger=None)


def end_job(plan: JobPlan, record: JobRecord, now: TwoClocks, jitter: float) -> JobPlan:
    """Return the plan after a run; triggers during the run are kept."""
    planned = plan_job(plan.rule, record, now, jitter)
    return plan._replace(record=record, time_due=planned.time_due)


def replace_rule(plan: JobPlan, rule: JobRule, now: TwoClocks, jitter: float) -> JobPlan:
    """Return the plan under another rule, after the settings have changed."""
    if rule == plan.rule:
        return plan
    return end_job(plan._replace(rule=rule), plan.record, now, jitter)


def postpone_after_gap(plan: JobPlan, boot: float, jitter: float) -> JobPlan:
    """Return the plan after the machine slept: an overdue job runs soon, not all at once."""
    if plan.time_due is None:
        return plan
    return plan._replace(time_due=spread_after_gap(plan.time_due, boot, jitter))
