"""The state of the daemon as JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.core.daemon.daemon_state import JobState
    from cortexfs.core.daemon.warm_up import WarmUp
    from cortexfs.interfaces.json.documents import daemon as documents
    from cortexfs.operations.daemon_status import DaemonStatus


def to_daemon_json(status: DaemonStatus) -> documents.DaemonFields:
    """Return the JSON of the status; times are ISO 8601 in UTC, absent if never."""
    state = status.state
    document: documents.DaemonFields = {
        "running": status.is_running,
        "answered": status.has_answered,
        "warm-up": _to_warm_up_json(state.warm_up),
        "ready-for-work": status.not_ready is None,
        "cold-dispatches": state.cold_dispatches,
        "watched-files": state.watched_files,
        "backlog": state.backlog,
        "jobs": [_to_job_json(job, is_running=status.is_running) for job in state.jobs],
    }
    if status.is_running:
        document["pid"] = state.pid
        if since := _to_iso(state.since):
            document["since"] = since
    if status.not_ready:
        document["not-ready"] = str(status.not_ready)
    if last_bulletin := _to_iso(state.warm_up.bulletin_at):
        document["last-bulletin"] = last_bulletin
    if state.watch:
        document["watch"] = state.watch
    if state.watch_problem:
        document["watch-problem"] = state.watch_problem
    return document


def _to_warm_up_json(warm_up: WarmUp) -> documents.WarmUpDocument:
    document: documents.WarmUpDocument = {"state": str(warm_up.state)}
    return {**document, "error": warm_up.error} if warm_up.error else document


def _to_job_json(job: JobState, *, is_running: bool) -> documents.JobDocument:
    record = job.record
    document: documents.JobDocument = {
        "name": job.name,
        "running": job.is_running and is_running,
        "seconds": round(record.last_took_s, 3),
        "runs": record.runs,
        "failures": record.failures,
        "failures-in-a-row": record.breaker.failures,
    }
    if last_run := _to_iso(record.last_started):
        document["last-run"] = last_run
    if last_success := _to_iso(record.last_succeeded):
        document["last-success"] = last_success
    if is_running and (next_run := _to_iso(job.next_run)):
        document["next-run"] = next_run
    if open_until := _to_iso(record.breaker.open_until):
        document["breaker-open-until"] = open_until
    if record.error:
        document["error"] = record.error
    return document


def _to_iso(seconds: float) -> str | None:
    """Return a time in UTC; None if it is 0, or no calendar has it."""
    if not seconds:
        return None
    try:
        return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return None
