"""The status of the daemon as lines."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cortexfs.core.daemon.daemon_state import JobCondition
from cortexfs.core.text.plural import format_count

if TYPE_CHECKING:
    from cortexfs.core.daemon.daemon_state import JobState
    from cortexfs.operations.daemon_status import DaemonStatus


def format_status_lines(status: DaemonStatus) -> list[str]:
    """Return the lines above the table of the jobs."""
    state, warm_up = status.state, status.state.warm_up
    if not status.is_running:
        return [
            "not running; `cortexfs daemon start` starts it",
            f"waiting: {format_count(state.backlog, 'note')}",
        ]
    answer = "" if status.has_answered else "; does not answer, this is its last stored state"
    error = f": {warm_up.error}" if warm_up.error else ""
    watch = f"polling: {state.watch_problem}" if state.watch_problem else state.watch
    return [
        f"running (pid {state.pid}) since {_format_time(state.since)}{answer}",
        f"warm-up: {warm_up.state}{error}",
        f"ready for work: {f'no ({status.not_ready})' if status.not_ready else 'yes'}",
        f"last bulletin: {_format_time(warm_up.bulletin_at)}",
        f"sessions begun without a bulletin: {state.cold_dispatches}",
        f"watched: {format_count(state.watched_files, 'file')} ({watch})",
        f"waiting: {format_count(state.backlog, 'note')}",
    ]


def format_job_row(job: JobState, status: DaemonStatus) -> tuple[str, ...]:
    """Return the row of one job."""
    record = job.record
    return (
        job.name,
        _format_time(record.last_started),
        _describe_next_run(job, status),
        f"{record.failures} of {record.runs}",
        _describe_job(job, status),
    )


def _describe_next_run(job: JobState, status: DaemonStatus) -> str:
    if not status.is_running:
        return "-"
    return _format_time(job.next_run) if job.next_run else "when needed"


def _describe_job(job: JobState, status: DaemonStatus) -> str:
    condition = job.find_condition(status.now, has_daemon=status.is_running)
    if condition is JobCondition.PAUSED:
        until = _format_time(job.record.breaker.open_until)
        return f"{condition} until {until}: {job.record.error}"
    return f"{condition}: {job.record.error}" if condition is JobCondition.FAILED else condition


def _format_time(seconds: float) -> str:
    """Return a local time, or `never`."""
    if not seconds:
        return "never"
    try:
        return datetime.fromtimestamp(seconds, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return "unknown"
