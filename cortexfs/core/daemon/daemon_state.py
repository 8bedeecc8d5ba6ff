"""The state of a daemon as a value, and as the JSON that it stores and sends."""

from __future__ import annotations

import json
import math
from enum import StrEnum
from typing import NamedTuple

from cortexfs.core.daemon.circuit_breaker import CircuitBreaker
from cortexfs.core.daemon.job_schedule import JobRecord
from cortexfs.core.daemon.warm_up import WarmUp, WarmUpState
from cortexfs.core.text.sanitize import redact_secrets, to_one_line

MAX_STATE_BYTES = 64 << 10
"""Maximum bytes of a state that is read: the file is untrusted."""
MAX_ERROR_CHARS = 300
MAX_JOBS = 32
MAX_NUMBER = 1e15
"""Larger numbers are no times that a calendar has, and no counts."""


class JobCondition(StrEnum):
    """How a job is, as people read it."""

    RUNNING = "running"
    PAUSED = "paused"
    FAILED = "failed"
    DONE = "ok"
    NOT_RUN = "not run yet"


class JobState(NamedTuple):
    """One job: its record, when it runs next (0: when something changes), and whether it runs."""

    name: str
    record: JobRecord = JobRecord()
    next_run: float = 0.0
    is_running: bool = False

    def find_condition(self, now: float, *, has_daemon: bool) -> JobCondition:
        """Return how the job is; what a daemon that has ended was running does not run."""
        if self.is_running and has_daemon:
            return JobCondition.RUNNING
        if self.record.breaker.is_open(now):
            return JobCondition.PAUSED
        if self.record.error:
            return JobCondition.FAILED
        return JobCondition.DONE if self.record.last_succeeded else JobCondition.NOT_RUN


class DaemonState(NamedTuple):
    """What a daemon says of itself; times are seconds since the epoch.

    `watch` is how changes are noticed: `events`, or `polling` with the reason in `watch_problem`.
    """

    pid: int = 0
    since: float = 0.0
    updated: float = 0.0
    warm_up: WarmUp = WarmUp()
    refresh_s: float = 0.0
    jobs: tuple[JobState, ...] = ()
    cold_dispatches: int = 0
    watched_files: int = 0
    backlog: int = 0
    watch: str = ""
    watch_problem: str = ""


def shorten_error(error: str) -> str:
    """Return an error as one short line without secrets."""
    return to_one_line(redact_secrets(error))[:MAX_ERROR_CHARS]


def format_daemon_state(state: DaemonState) -> str:
    """Return the state as one line of JSON."""
    warm_up = state.warm_up
    document = {
        "pid": state.pid,
        "since": state.since,
        "updated": state.updated,
        "warm_up": {
            "state": str(warm_up.state),
            "error": warm_up.error,
            "bulletin_at": warm_up.bulletin_at,
            "needs_embeddings": warm_up.needs_embeddings,
            "has_embeddings": warm_up.has_embeddings,
        },
        "refresh_s": state.refresh_s,
        "jobs": {each.name: _format_job(each) for each in state.jobs},
        "cold_dispatches": state.cold_dispatches,
        "watched_files": state.watched_files,
        "backlog": state.backlog,
        "watch": state.watch,
        "watch_problem": state.watch_problem,
    }
    return json.dumps(document, ensure_ascii=True) + "\n"


def parse_daemon_state(text: str) -> DaemonState | None:
    """Return the state in a text; None if it is none. A field of a wrong type has its default."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    jobs = _mapping(found, "jobs")
    return DaemonState(
        pid=int(_number(found, "pid")),
        since=_number(found, "since"),
        updated=_number(found, "updated"),
        warm_up=_parse_warm_up(_mapping(found, "warm_up")),
        refresh_s=_number(found, "refresh_s"),
        jobs=tuple(_parse_job(name, _mapping(jobs, name)) for name in [*jobs][:MAX_JOBS]),
        cold_dispatches=int(_number(found, "cold_dispatches")),
        watched_files=int(_number(found, "watched_files")),
        backlog=int(_number(found, "backlog")),
        watch=_text(found, "watch"),
        watch_problem=_text(found, "watch_problem"),
    )


def _format_job(job: JobState) -> dict[str, object]:
    record = job.record
    return {
        "last_started": record.last_started,
        "last_succeeded": record.last_succeeded,
        "last_took_s": record.last_took_s,
        "runs": record.runs,
        "failures": record.failures,
        "failures_in_a_row": record.breaker.failures,
        "open_until": record.breaker.open_until,
        "error": record.error,
        "next_run": job.next_run,
        "is_running": job.is_running,
    }


def _parse_job(name: str, found: dict[str, object]) -> JobState:
    record = JobRecord(
        last_started=_number(found, "last_started"),
        last_succeeded=_number(found, "last_succeeded"),
        last_took_s=_number(found, "last_took_s"),
        runs=int(_number(found, "runs")),
        failures=int(_number(found, "failures")),
        breaker=CircuitBreaker(
            int(_number(found, "failures_in_a_row")), _number(found, "open_until")
        ),
        error=_text(found, "error"),
    )
    is_running = found.get("is_running") is True
    return JobState(shorten_error(name), record, _number(found, "next_run"), is_running)


def _parse_warm_up(found: dict[str, object]) -> WarmUp:
    state = _text(found, "state")
    return WarmUp(
        state=WarmUpState(state) if state in {*WarmUpState} else WarmUpState.COLD,
        error=_text(found, "error"),
        bulletin_at=_number(found, "bulletin_at"),
        needs_embeddings=found.get("needs_embeddings") is True,
        has_embeddings=found.get("has_embeddings") is True,
    )


def _mapping(found: dict[str, object], key: str) -> dict[str, object]:
    value = found.get(key)
    return value if isinstance(value, dict) else {}


def _number(found: dict[str, object], key: str) -> float:
    """Return a number that is finite and not negative; 0 for anything else."""
    value = found.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    try:
        number = float(value)
    except OverflowError:
        return 0.0
    return number if math.isfinite(number) and 0 <= number <= MAX_NUMBER else 0.0


def _text(found: dict[str, object], key: str) -> str:
    value = found.get(key)
    return shorten_error(value) if isinstance(value, str) else ""
