"""The plans of all jobs of a running daemon; `core.daemon.job_plan` has the rules."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cortexfs.core.daemon.daemon_state import JobState
from cortexfs.core.daemon.job_plan import (
    JobPlan,
    TwoClocks,
    add_trigger,
    end_job,
    plan_job,
    postpone_after_gap,
    replace_rule,
    start_job,
)
from cortexfs.core.daemon.job_schedule import (
    JobRecord,
    JobRule,
    Trigger,
    record_failure,
    record_start,
    record_success,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    Rules = Iterable[tuple[str, JobRule]]


@dataclass(slots=True, eq=False)
class JobPlans:
    """The plan of each job by its name; only the loop's thread uses it."""

    read_clocks: Callable[[], TwoClocks]
    plans: dict[str, JobPlan] = field(default_factory=dict)

    def __getitem__(self, name: str) -> JobPlan:
        return self.plans[name]

    def items(self) -> Iterator[tuple[str, JobPlan]]:
        """Yield name and plan of each job; the plans may be changed meanwhile."""
        yield from [*self.plans.items()]

    def begin(self, rules: Rules, stored: Iterable[JobState]) -> None:
        """Plan each job, from its record in an earlier daemon if there is one."""
        now, records = self.read_clocks(), {each.name: each.record for each in stored}
        for name, rule in rules:
            plan = plan_job(rule, records.get(name, JobRecord()), now, _draw_jitter())
            self.plans[name] = add_trigger(plan, Trigger.START, now.boot)

    def replace_rules(self, rules: Rules) -> None:
        """Plan again the jobs whose rule has changed."""
        now = self.read_clocks()
        for name, rule in rules:
            self.plans[name] = replace_rule(self.plans[name], rule, now, _draw_jitter())

    def trigger(self, trigger: Trigger, *, but: str = "") -> None:
        """Make the jobs due that this triggers, but one."""
        boot = self.read_clocks().boot
        for name, plan in self.items():
            if name != but:
                self.plans[name] = add_trigger(plan, trigger, boot)

    def trigger_one(self, name: str, trigger: Trigger) -> None:
        """Make one job due."""
        self.plans[name] = add_trigger(self.plans[name], trigger, self.read_clocks().boot)

    def start(self, name: str) -> None:
        """Record that a job starts."""
        plan = self.plans[name]
        self.plans[name] = start_job(plan, record_start(plan.record, self.read_clocks().wall))

    def end(self, name: str, took_s: float, error: str = "") -> None:
        """Record how a job ended, and plan its next run."""
        now, plan = self.read_clocks(), self.plans[name]
        if error:
            record = record_failure(plan.record, now.wall, took_s, error)
        else:
            record = record_success(plan.record, now.wall, took_s)
        self.plans[name] = end_job(plan, record, now, _draw_jitter())

    def resume(self, first: str) -> None:
        """Spread the overdue jobs after a gap; one is due at once."""
        boot = self.read_clocks().boot
        for name, plan in self.items():
            self.plans[name] = postpone_after_gap(plan, boot, _draw_jitter())
        self.plans[first] = self.plans[first]._replace(time_due=boot)

    def retry_failed(self) -> None:
        """Make the jobs due that have failed: what made them fail is probably over."""
        boot = self.read_clocks().boot
        for name, plan in self.items():
            if plan.record.breaker.failures:
                self.plans[name] = plan._replace(time_due=boot)

    def describe(self, running: Collection[str]) -> tuple[JobState, ...]:
        """Return the state of each job."""
        now = self.read_clocks()
        return tuple(
            JobState(
                name,
                plan.record,
                0.0 if plan.due is None else now.wall + max(0.0, plan.due - now.boot),
                name in running,
            )
            for name, plan in self.items()
        )


def _draw_jitter() -> float:
    return random.random()  # noqa: S311 - it only spreads the load
