"""The state of a daemon is stored and read again; a foreign one harms nothing. Metrics of it."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.daemon.circuit_breaker import CircuitBreaker
from cortexfs.core.daemon.daemon_metrics import render_daemon_metrics
from cortexfs.core.daemon.daemon_state import (
    DaemonState,
    JobCondition,
    JobState,
    format_daemon_state,
    parse_daemon_state,
    shorten_error,
)
from cortexfs.core.daemon.job_schedule import JobRecord
from cortexfs.core.daemon.prometheus_text import Metric, MetricType, Sample, render_prometheus
from cortexfs.core.daemon.warm_up import WarmUp, WarmUpState

FAILED = JobRecord(10.0, 5.0, 0.25, 7, 2, CircuitBreaker(3, 1810.0), "disk full")
STATE = DaemonState(
    pid=12,
    since=1.0,
    updated=20.0,
    warm_up=WarmUp(WarmUpState.WARM, "", 19.0),
    refresh_s=900.0,
    jobs=(JobState("regen", FAILED, 1810.0), JobState("drain", is_running=True)),
    cold_dispatches=3,
    watched_files=151,
    backlog=4,
    watch="polling",
    watch_problem="no inotify watch left",
)
KEYS = [*json.loads(format_daemon_state(STATE)), "state", "error", "regen", "failures"]
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner),
)


def test_a_state_is_read_as_it_was_stored() -> None:
    assert parse_daemon_state(format_daemon_state(STATE)) == STATE


@given(st.dictionaries(st.sampled_from(KEYS), values))
def test_any_json_gives_a_state_that_can_be_shown(document: dict[str, Any]) -> None:
    state = parse_daemon_state(json.dumps(document))
    assert state is not None
    assert parse_daemon_state(format_daemon_state(state)) == state
    assert_metrics_are_valid(render_daemon_metrics(state))


def test_what_is_no_json_object_is_no_state() -> None:
    for text in ("", "[]", "null", "7", "{", "\0", "[" * 100_000, '{"pid": 1' + "0" * 5000 + "}"):
        assert parse_daemon_state(text) is None


def test_an_error_is_one_short_line() -> None:
    assert shorten_error("a\n\x1b[31mb" + "x" * 999).startswith("a")
    assert len(shorten_error("x" * 999)) == 300
    assert not re.search(r"[\x00-\x1f]", shorten_error("a\n\x1b[31mb"))


def test_metrics_name_jobs_and_nothing_else() -> None:
    text = render_daemon_metrics(STATE)
    assert_metrics_are_valid(text)
    labels = set(re.findall(r"\{(\w+)=\"([^\"]*)\"\}", text))
    states = {("state", each.value) for each in WarmUpState}
    assert labels == {("job", "regen"), ("job", "drain")} | states
    assert 'cortexfs_daemon_job_failures_total{job="regen"} 2\n' in text
    assert 'cortexfs_daemon_job_breaker_open{job="regen"} 1\n' in text
    assert 'cortexfs_daemon_warm_up_state{state="warm"} 1\n' in text
    assert "cortexfs_daemon_cold_dispatches_total 3\n" in text
    assert "cortexfs_daemon_ready_for_work 1\n" in text


def test_text_of_metrics_is_escaped() -> None:
    metric = Metric("m", "a\nb\\", MetricType.GAUGE, (Sample(1.5, "job", 'x"\n\\'),))
    expected = '# HELP m a\\nb\\\\\n# TYPE m gauge\nm{job="x\\"\\n\\\\"} 1.5\n'
    assert render_prometheus([metric]) == expected


def assert_metrics_are_valid(text: str) -> None:
    """Check the text as a collector does: HELP, TYPE, then values, without timestamps."""
    assert text.endswith("\n")
    name = ""
    for line in text.splitlines():
        if line.startswith("# HELP "):
            name = line.split(" ")[2]
        elif line.startswith("# TYPE "):
            assert line.split(" ")[2:] == [name, "counter" if name.endswith("_total") else "gauge"]
        else:
            assert re.fullmatch(rf'{name}(\{{\w+="[^"]*"\}})? [0-9.e+-]+', line), line


def test_a_job_is_running_paused_failed_done_or_has_not_run() -> None:
    job, done = JobState("index", FAILED), JobState("index", JobRecord(10.0, 12.0, runs=1))
    running = job._replace(is_running=True)
    assert running.find_condition(20.0, has_daemon=True) is JobCondition.RUNNING
    assert running.find_condition(20.0, has_daemon=False) is JobCondition.PAUSED
    assert job.find_condition(1810.0, has_daemon=True) is JobCondition.FAILED
    assert done.find_condition(20.0, has_daemon=True) is JobCondition.DONE
    assert JobState("index").find_condition(20.0, has_daemon=True) is JobCondition.NOT_RUN
