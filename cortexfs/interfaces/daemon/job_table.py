"""The jobs of the daemon: what each runs, and when.

A job takes the session and the environment. Its operation is imported when it runs first, so that
an idle daemon stays small.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.plan import ExecutionMode
from cortexfs.core.daemon.job_schedule import JobRule, Trigger

if TYPE_CHECKING:
    from cortexfs.core.settings.daemon_settings import DaemonSettings
    from cortexfs.session.session import Session

RunJob = Callable[["Session", Mapping[str, str]], object]

RESCAN_S, POLL_S = 300.0, 15.0
"""Seconds between full comparisons of stamps: beside events, which can be lost, and without."""
INDEX_QUIET_S = 0.25
"""Seconds without a change before indexes are written; one commit takes as long."""
BULLETIN_QUIET_S = 0.5
DRAIN_QUIET_VARIABLE = "CORTEXFS_DRAIN_QUIET"
DRAIN_QUIET_S, MAX_DRAIN_QUIET_S = 20.0, 120.0
"""Seconds without a note before notes are logged, as `hooks/drain_later.py` waits."""
WARM_UP, CATALOG, INDEXES = "warm-up", "catalog", "indexes"
DRAIN, BULLETIN = "drain", "bulletin"


class Job(NamedTuple):
    """One job: its name, what it runs, and its rule under some settings."""

    name: str
    run: RunJob
    get_rule: Callable[[DaemonSettings], JobRule]


def list_jobs(environ: Mapping[str, str]) -> tuple[Job, ...]:
    """Return the jobs whose operation is installed, in the order in which they are shown."""
    quiet_s = parse_drain_quiet_s(environ.get(DRAIN_QUIET_VARIABLE, ""))
    drain_rule = JobRule(0.0, frozenset({Trigger.NOTES}), quiet_s)
    drain = Job(DRAIN, drain_notes, lambda _: drain_rule)
    found = (job for job, module in _TABLE if find_spec(f"{_OPERATIONS}.{module}"))
    return (drain, *found)


def parse_drain_quiet_s(text: str) -> float:
    """Return the seconds that count as quiet, as `hooks/drain_later.py` reads them."""
    try:
        seconds = float(text)
    except ValueError:
        return DRAIN_QUIET_S
    return seconds if 0 <= seconds <= MAX_DRAIN_QUIET_S else DRAIN_QUIET_S


def update_indexes(session: Session, _environ: Mapping[str, str]) -> None:
    """Render the indexes that may be out of date, and log the notes that wait."""
    from cortexfs.operations.regenerate_indexes import regenerate_indexes

    if session.has_pending_work():
        regenerate_indexes(session, None)


def drain_notes(session: Session, _environ: Mapping[str, str]) -> None:
    """Log the notes of the hooks."""
    if session.tree.spool.count_waiting():
        session.drain_spool()


def _find(module: str) -> Callable[..., object]:
    """Return the operation with the name of its module."""
    found: Callable[..., object] = getattr(import_module(f"{_OPERATIONS}.{module}"), module)
    return found


def _refresh_bulletin(session: Session, environ: Mapping[str, str]) -> object:
    return _find("refresh_bulletin")(session, environ)


def _refresh_injection(session: Session, _environ: Mapping[str, str]) -> object:
    return _find("refresh_injection")(session)


def _supervise(session: Session, environ: Mapping[str, str]) -> object:
    return _find("supervise")(session, environ)


def _run_maintenance(session: Session, _environ: Mapping[str, str]) -> object:
    return _find("run_maintenance")(session, ExecutionMode.COMMIT)


def _detect_patterns(session: Session, _environ: Mapping[str, str]) -> object:
    return _find("detect_patterns")(session, ExecutionMode.COMMIT)


_OPERATIONS = "cortexfs.operations"
_ON_CHANGE = frozenset({Trigger.CHANGE})
_INDEX_RULE = JobRule(0.0, _ON_CHANGE, INDEX_QUIET_S)
_TABLE: tuple[tuple[Job, str], ...] = (
    (Job(INDEXES, update_indexes, lambda _: _INDEX_RULE), "regenerate_indexes"),
    (
        Job(
            BULLETIN,
            _refresh_bulletin,
            lambda chosen: JobRule(chosen.bulletin, _ON_CHANGE, BULLETIN_QUIET_S),
        ),
        "refresh_bulletin",
    ),
    (
        Job(
            "injection",
            _refresh_injection,
            lambda chosen: JobRule(chosen.bulletin, _ON_CHANGE, BULLETIN_QUIET_S),
        ),
        "refresh_injection",
    ),
    (
        Job("supervise", _supervise, lambda chosen: JobRule(chosen.supervise, only_active=True)),
        "supervise",
    ),
    (Job("maintain", _run_maintenance, lambda chosen: JobRule(chosen.maintain)), "run_maintenance"),
    (Job("patterns", _detect_patterns, lambda chosen: JobRule(chosen.patterns)), "detect_patterns"),
)
"""Each job, and the module of its operation."""
