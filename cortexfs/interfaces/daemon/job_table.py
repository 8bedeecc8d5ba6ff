"""The jobs of the daemon: what each runs, and when.

A job takes the session and the environment. Its operation is imported when it runs first, so that
an idle daemon stays small.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.daemon.job_schedule import JobRule, Trigger
from cortexfs.core.settings.background_environment import DRAIN_QUIET_VARIABLE

if TYPE_CHECKING:
    from cortexfs.core.settings.daemon_settings import DaemonSettings
    from cortexfs.operations.refresh_bulletin import BulletinRefresh
    from cortexfs.operations.stories.analyse_new_chunks import AnalysisRun
    from cortexfs.operations.supervise import SupervisionReport
    from cortexfs.session.session import Session

RunJob = Callable[["Session", Mapping[str, str]], object]

RESCAN_S, POLL_S = 300.0, 15.0
"""Seconds between full comparisons of stamps: beside events, which can be lost, and without."""
INDEX_QUIET_S = 0.25
"""Seconds without a change before indexes are written; one commit takes as long."""
BULLETIN_QUIET_S = 0.5
DRAIN_QUIET_S, MAX_DRAIN_QUIET_S = 20.0, 120.0
"""Seconds without a note before notes are logged, as `hooks/drain_later.py` waits."""
WARM_UP, CATALOG, INDEXES = "warm-up", "catalog", "indexes"
DRAIN, BULLETIN = "drain", "bulletin"


class Job(NamedTuple):
    """One job: its name, what it runs, and its rule under some settings.

    `prepare` is what the warm-up runs in its place, which must not wait for a language model.
    """

    name: str
    run: RunJob
    get_rule: Callable[[DaemonSettings], JobRule]
    prepare: RunJob | None = None


def list_jobs(environ: Mapping[str, str]) -> tuple[Job, ...]:
    """Return the jobs in the order in which they are shown."""
    quiet_s = parse_drain_quiet_s(environ.get(DRAIN_QUIET_VARIABLE, ""))
    drain_rule = JobRule(0.0, frozenset({Trigger.NOTES}), quiet_s)
    drain = Job(DRAIN, drain_notes, lambda _: drain_rule)
    return (drain, *_TABLE)


def parse_drain_quiet_s(text: str) -> float:
    """Return the seconds that count as quiet, as `hooks/drain_later.py` reads them."""
    try:
        seconds = float(text)
    except ValueError:
        return DRAIN_QUIET_S
    return seconds if 0 <= seconds <= MAX_DRAIN_QUIET_S else DRAIN_QUIET_S


def update_indexes(session: Session, _environ: Mapping[str, str]) -> None:
    """Render the indexes that may be out of date, and log the notes that wait."""
    from cortexfs.operations.regenerate_indexes import has_pending_work, regenerate_indexes

    if has_pending_work(session):
        regenerate_indexes(session, None)


def drain_notes(session: Session, _environ: Mapping[str, str]) -> None:
    """Log the notes of the hooks."""
    if session.tree.spool.count_waiting():
        session.drain_spool()


def _refresh_bulletin(session: Session, environ: Mapping[str, str]) -> BulletinRefresh:
    from cortexfs.operations.refresh_bulletin import refresh_bulletin

    return refresh_bulletin(session, environ)


def _render_bulletin(session: Session, environ: Mapping[str, str]) -> BulletinRefresh:
    from cortexfs.operations.refresh_bulletin import refresh_bulletin

    return refresh_bulletin(session, environ, may_ask=False)


def _prepare_injection(session: Session, environ: Mapping[str, str]) -> None:
    from cortexfs.operations.refresh_injection import refresh_injection

    refresh_injection(session, environ)


def _supervise(session: Session, environ: Mapping[str, str]) -> SupervisionReport:
    from cortexfs.operations.supervise import supervise

    return supervise(session, environ)


def _maintain(session: Session, _environ: Mapping[str, str]) -> None:
    from cortexfs.operations.run_maintenance import run_maintenance

    run_maintenance(session, ExecutionMode.COMMIT, memories_only=True)


def _detect_patterns(session: Session, _environ: Mapping[str, str]) -> None:
    from cortexfs.operations.detect_patterns import detect_patterns

    detect_patterns(session, ExecutionMode.COMMIT)


def _analyse_stories(session: Session, environ: Mapping[str, str]) -> AnalysisRun:
    from cortexfs.operations.stories.analyse_new_chunks import analyse_new_chunks

    return analyse_new_chunks(session, environ)


_ON_CHANGE = frozenset({Trigger.CHANGE})
_INDEX_RULE = JobRule(0.0, _ON_CHANGE, INDEX_QUIET_S)
_TABLE = (
    Job(INDEXES, update_indexes, lambda _: _INDEX_RULE),
    Job(
        BULLETIN,
        _refresh_bulletin,
        lambda chosen: JobRule(chosen.bulletin, _ON_CHANGE, BULLETIN_QUIET_S),
        _render_bulletin,
    ),
    Job(
        "injection",
        _prepare_injection,
        lambda chosen: JobRule(chosen.bulletin, _ON_CHANGE, BULLETIN_QUIET_S),
    ),
    Job("supervise", _supervise, lambda chosen: JobRule(chosen.supervise, only_active=True)),
    Job("maintain", _maintain, lambda chosen: JobRule(chosen.maintain)),
    Job("patterns", _detect_patterns, lambda chosen: JobRule(chosen.patterns)),
    Job("stories", _analyse_stories, lambda chosen: JobRule(chosen.stories)),
)
