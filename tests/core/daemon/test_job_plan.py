"""One job in a running daemon: interval, triggers, failures, gaps, changed settings."""

from __future__ import annotations

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

WALL = 1_000_000.0
RULE = JobRule(100.0, frozenset({Trigger.CHANGE}), quiet_s=2.0)
NEW = JobRecord()
TRIGGERED = JobRule(0.0, frozenset({Trigger.CHANGE}), quiet_s=2.0)


def plan_at(rule: JobRule, boot: float, record: JobRecord = NEW) -> JobPlan:
    return plan_job(rule, record, TwoClocks(WALL, boot), 0.0)


def run(plan: JobPlan, boot: float, *, error: str = "") -> JobPlan:
    wall = WALL + boot
    started = start_job(plan, record_start(plan.record, wall))
    ended = (
        record_failure(started.record, wall, 0.0, error)
        if error
        else record_success(started.record, wall, 0.0)
    )
    return end_job(started, ended, TwoClocks(wall, boot), 0.0)


def test_a_trigger_is_followed_by_a_quiet_time() -> None:
    plan = plan_at(TRIGGERED, 0.0)
    assert plan.due is None
    plan = add_trigger(add_trigger(plan, Trigger.CHANGE, 10.0), Trigger.CHANGE, 11.0)
    assert (plan.due, plan.is_due(12.9), plan.is_due(13.0)) == (13.0, False, True)
    assert add_trigger(plan, Trigger.NOTES, 12.0) == plan


def test_triggers_that_never_pause_do_not_delay_a_job_forever() -> None:
    plan = plan_at(TRIGGERED, 0.0)
    for second in range(100):
        plan = add_trigger(plan, Trigger.CHANGE, float(second))
    assert plan.due == 12.0


def test_a_trigger_during_a_run_makes_the_job_due_again() -> None:
    plan = add_trigger(plan_at(TRIGGERED, 0.0), Trigger.CHANGE, 0.0)
    running = start_job(plan, record_start(plan.record, WALL))
    assert running.due is None
    again = add_trigger(running, Trigger.CHANGE, 5.0)
    done = end_job(again, record_success(again.record, WALL, 1.0), TwoClocks(WALL, 6.0), 0.0)
    assert done.due == 7.0


def test_a_jump_of_the_wall_clock_moves_no_job_of_a_running_daemon() -> None:
    plan = run(plan_at(RULE, 0.0), 0.0)
    assert plan.due == 100.0  # whatever the wall clock shows meanwhile
    for jump in (-1e6, 1e6):
        ended = end_job(plan, plan.record, TwoClocks(WALL + jump, 50.0), 0.0)
        assert ended.due is not None
        assert 50.0 <= ended.due <= 150.0


def test_a_failed_job_waits_whatever_triggers_it() -> None:
    plan = run(add_trigger(plan_at(TRIGGERED, 0.0), Trigger.CHANGE, 0.0), 2.0, error="no")
    assert add_trigger(plan, Trigger.CHANGE, 3.0).due == 32.0
    for boot in (32.0, 92.0):
        plan = run(plan, boot, error="no")
    assert add_trigger(plan, Trigger.CHANGE, 100.0).due == 92.0 + 1800
    assert run(plan, 1892.0).due is None


def test_settings_that_change_move_a_job_only_if_its_rule_differs() -> None:
    plan = run(plan_at(RULE, 0.0), 0.0)
    now = TwoClocks(WALL + 10, 10.0)
    assert replace_rule(plan, RULE, now, 0.0) is plan
    assert replace_rule(plan, RULE._replace(interval_s=50.0), now, 0.0).due == 50.0
    assert replace_rule(plan, RULE._replace(interval_s=0.0), now, 0.0).due is None


def test_after_a_gap_an_overdue_job_runs_soon_and_once() -> None:
    plan = run(plan_at(RULE, 0.0), 0.0)
    late = postpone_after_gap(plan, 5000.0, 0.5)
    assert late.due == 5010.0
    assert run(late, 5010.0).due == 5110.0
    assert postpone_after_gap(plan, 50.0, 0.5) == plan
    assert postpone_after_gap(plan_at(TRIGGERED, 0.0), 5000.0, 0.5).due is None
