"""When jobs are due, with every time passed in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.daemon.circuit_breaker import (
    OPEN_S,
    CircuitBreaker,
    compute_backoff_s,
    compute_timeout_s,
)
from cortexfs.core.daemon.job_schedule import (
    MAX_GAP_JITTER_S,
    JobRecord,
    JobRule,
    compute_delay_s,
    is_gap,
    record_failure,
    record_start,
    record_success,
    spread_after_gap,
)

HOURLY = JobRule(3600.0)
NOW = 1_000_000.0
times = st.floats(0, 4e9)


def fail(record: JobRecord, now: float) -> JobRecord:
    return record_failure(record_start(record, now), now, 0.1, "no")


def test_a_job_that_never_ran_is_due_at_once() -> None:
    assert compute_delay_s(HOURLY, JobRecord(), NOW, 1.0) == 0


def test_an_interval_counts_from_the_last_start_and_grows_by_the_jitter() -> None:
    record = JobRecord(last_started=NOW - 600)
    assert compute_delay_s(HOURLY, record, NOW, 0.0) == 3000
    assert compute_delay_s(HOURLY, record, NOW, 1.0) == 3000 + 360


def test_a_job_without_an_interval_is_never_due_by_time() -> None:
    assert compute_delay_s(JobRule(0.0), JobRecord(), NOW, 0.0) is None
    assert compute_delay_s(JobRule(0.0), JobRecord(last_started=1.0), NOW, 0.0) is None


def test_a_week_of_missed_runs_is_one_run() -> None:
    record = JobRecord(last_started=NOW - 7 * 86_400)
    assert compute_delay_s(HOURLY, record, NOW, 0.5) == 0
    after = record_success(record_start(record, NOW), NOW + 1, 1.0)
    assert compute_delay_s(HOURLY, after, NOW + 1, 0.0) == 3599


@given(times, times, times, st.floats(0, 1))
def test_a_stamp_in_the_future_never_delays_a_job_by_more_than_its_interval(
    started: float, open_until: float, now: float, jitter: float
) -> None:
    for failures in (0, 1, 2, 3):
        breaker = CircuitBreaker(failures, open_until if failures == 3 else 0.0)
        delay = compute_delay_s(HOURLY, JobRecord(started, breaker=breaker), now, jitter)
        assert delay is not None
        assert 0 <= delay <= 3960 + 1e-3


def test_failures_are_tried_again_later_and_later() -> None:
    assert [compute_backoff_s(n) for n in range(8)] == [0, 30, 60, 120, 240, 480, 600, 600]
    assert compute_backoff_s(10_000) == 600
    once = fail(JobRecord(), NOW)
    assert compute_delay_s(HOURLY, once, NOW, 1.0) == 30
    twice = fail(once, NOW + 30)
    assert compute_delay_s(HOURLY, twice, NOW + 30, 1.0) == 60
    assert compute_delay_s(HOURLY, twice, NOW + 60, 1.0) == 30


def test_the_third_failure_in_a_row_opens_the_circuit_for_half_an_hour() -> None:
    record = fail(fail(JobRecord(), NOW), NOW)
    assert not record.breaker.is_open(NOW)
    record = fail(record, NOW)
    assert record.breaker.is_open(NOW + OPEN_S - 1)
    assert not record.breaker.is_open(NOW + OPEN_S)
    assert compute_delay_s(HOURLY, record, NOW + 100, 0.0) == OPEN_S - 100
    assert compute_delay_s(HOURLY, record, NOW + OPEN_S, 0.0) == 0


def test_a_failure_after_the_pause_opens_the_circuit_again_and_a_success_closes_it() -> None:
    record = fail(fail(fail(JobRecord(), NOW), NOW), NOW)
    later = NOW + OPEN_S
    assert fail(record, later).breaker == CircuitBreaker(4, later + OPEN_S)
    done = record_success(record_start(record, later), later, 0.5)
    assert (done.breaker, done.error, done.failures) == (CircuitBreaker(), "", 3)


def test_the_timeout_of_a_job_is_six_intervals_within_limits() -> None:
    intervals = (0, 1, 100, 600, 2000)
    assert [compute_timeout_s(each) for each in intervals] == [300, 300, 600, 3600, 3600]
    assert JobRule(100.0).timeout_s == 600


def test_a_wait_that_took_far_too_long_is_a_gap() -> None:
    assert not is_gap(0.0)
    assert not is_gap(-60.0)
    assert is_gap(3600.0)


def test_after_a_gap_overdue_jobs_are_spread_and_others_stay() -> None:
    assert spread_after_gap(NOW - 5000, NOW, 0.5) == NOW + MAX_GAP_JITTER_S / 2
    assert spread_after_gap(NOW + 1, NOW, 0.5) == NOW + 1
