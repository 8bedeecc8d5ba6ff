"""The metrics of a daemon. Labels name jobs and states, never ids or paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.daemon.prometheus_text import Metric, MetricType, Sample, render_prometheus
from cortexfs.core.daemon.warm_up import WarmUpState, is_ready_for_work

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.daemon.daemon_state import DaemonState
    from cortexfs.core.daemon.job_schedule import JobRecord

_GAUGE, _COUNTER = MetricType.GAUGE, MetricType.COUNTER


def render_daemon_metrics(state: DaemonState) -> str:
    """Return the metrics of a daemon in this state, as text."""
    return render_prometheus((*_list_state_metrics(state), *_list_job_metrics(state)))


def _list_state_metrics(state: DaemonState) -> Iterator[Metric]:
    warm_up = state.warm_up
    is_ready = is_ready_for_work(warm_up, state.updated, state.refresh_s)
    states = tuple(Sample(each is warm_up.state, "state", each.value) for each in WarmUpState)
    yield _make("start_timestamp_seconds", "When the daemon started.", _GAUGE, state.since)
    yield _make("updated_timestamp_seconds", "When these values were read.", _GAUGE, state.updated)
    yield Metric("cortexfs_daemon_warm_up_state", "The state that is 1.", _GAUGE, states)
    yield _make("ready_for_work", "Whether a session begins prepared.", _GAUGE, is_ready)
    yield _make(
        "bulletin_last_success_timestamp_seconds",
        "When the bulletin was last made current.",
        _GAUGE,
        warm_up.bulletin_at,
    )
    yield _make(
        "cold_dispatches_total",
        "Sessions that began without a bulletin.",
        _COUNTER,
        state.cold_dispatches,
    )
    yield _make("watched_files", "Files in the catalog.", _GAUGE, state.watched_files)
    yield _make("backlog_notes", "Notes of hooks that wait.", _GAUGE, state.backlog)
    is_polling = state.watch == "polling"
    yield _make("watch_polling", "Whether changes are found by polling.", _GAUGE, is_polling)


def _list_job_metrics(state: DaemonState) -> Iterator[Metric]:
    def values(name: str, help_text: str, kind: MetricType, field: str) -> Metric:
        return Metric(
            f"cortexfs_daemon_job_{name}",
            help_text,
            kind,
            tuple(Sample(_read_value(job.record, field), "job", job.name) for job in state.jobs),
        )

    yield values("runs_total", "Runs of a job.", _COUNTER, "runs")
    yield values("failures_total", "Runs that failed or took too long.", _COUNTER, "failures")
    yield values("last_duration_seconds", "How long the last run took.", _GAUGE, "last_took_s")
    yield values(
        "last_success_timestamp_seconds", "When a job last succeeded.", _GAUGE, "last_succeeded"
    )
    open_now = (
        Sample(job.record.breaker.is_open(state.updated), "job", job.name) for job in state.jobs
    )
    yield Metric(
        "cortexfs_daemon_job_breaker_open",
        "Whether a job is paused after failures.",
        _GAUGE,
        tuple(open_now),
    )


def _read_value(record: JobRecord, field: str) -> float:
    return float(getattr(record, field))


def _make(name: str, help_text: str, kind: MetricType, value: float) -> Metric:
    return Metric(f"cortexfs_daemon_{name}", help_text, kind, (Sample(value),))
