"""When jobs are due: after an interval, after a change, after a failure, and after a gap."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from cortexfs.core.daemon.circuit_breaker import OPEN_S, CircuitBreaker, compute_timeout_s

JITTER_SHARE = 0.1
"""An interval is longer by up to this share of it, so that daemons do not all run at once."""
GAP_S = 30.0
"""Seconds by which a wait was too long: the machine slept, or the process was stopped."""
MAX_GAP_JITTER_S = 20.0
"""After a gap, jobs that are due run within this many seconds."""


class Trigger(StrEnum):
    """What makes a job due besides its interval."""

    START = "start"
    CHANGE = "change"
    NOTES = "notes"


class JobRule(NamedTuple):
    """When one job runs: each `interval_s` seconds (0: never by time), and after its triggers.

    A trigger is followed by `quiet_s` seconds without another one. With `only_active` the interval
    counts only while an agent works.
    """

    interval_s: float
    triggers: frozenset[Trigger] = frozenset()
    quiet_s: float = 0.0
    only_active: bool = False

    @property
    def timeout_s(self) -> float:
        """The seconds that one run may take."""
        return compute_timeout_s(self.interval_s)


class JobRecord(NamedTuple):
    """What is stored about the runs of one job; times are seconds since the epoch, 0: never."""

    last_started: float = 0.0
    last_succeeded: float = 0.0
    last_took_s: float = 0.0
    runs: int = 0
    failures: int = 0
    breaker: CircuitBreaker = CircuitBreaker()
    error: str = ""


def clamp_record(record: JobRecord, now: float) -> JobRecord:
    """Return a record without times in the future: the clock was set back, or the file edited."""
    open_until = min(record.breaker.open_until, now + OPEN_S)
    return record._replace(
        last_started=min(record.last_started, now),
        last_succeeded=min(record.last_succeeded, now),
        breaker=record.breaker._replace(open_until=open_until),
    )


def compute_delay_s(rule: JobRule, record: JobRecord, now: float, jitter: float) -> float | None:
    """Return the seconds until a job is due by time; None if time does not make it due.

    A time that has passed gives 0: one run makes up for all that were missed. `jitter` is from 0
    to 1.
    """
    record = clamp_record(record, now)
    if record.breaker.failures:
        return record.breaker.retry_delay_s(now - record.last_started, now)
    if not rule.interval_s:
        return None
    if not record.last_started:
        return 0.0
    interval_s = rule.interval_s * (1 + JITTER_SHARE * jitter)
    return max(0.0, record.last_started + interval_s - now)


def is_gap(late_s: float) -> bool:
    """Return whether a wait ended so late that the process was suspended."""
    return late_s > GAP_S


def spread_after_gap(due: float, now: float, jitter: float) -> float:
    """Return when a job runs after a gap: one that is overdue soon, another one as planned."""
    return now + MAX_GAP_JITTER_S * jitter if due <= now else due


def record_start(record: JobRecord, now: float) -> JobRecord:
    """Return the record of a job that starts now."""
    return record._replace(last_started=now, runs=record.runs + 1)


def record_success(record: JobRecord, now: float, took_s: float) -> JobRecord:
    """Return the record after a run that succeeded."""
    return record._replace(
        last_succeeded=now, last_took_s=took_s, breaker=record.breaker.after_success(), error=""
    )


def record_failure(record: JobRecord, now: float, took_s: float, error: str) -> JobRecord:
    """Return the record after a run that failed or took too long."""
    return record._replace(
        last_took_s=took_s,
        failures=record.failures + 1,
        breaker=record.breaker.after_failure(now),
        error=error,
    )
