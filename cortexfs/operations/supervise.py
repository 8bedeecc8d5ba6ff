"""Flag background tasks that are silent and sub-agents that are too old; stop them if asked to."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.access_events.note_to_access_events import parse_note_time
from cortexfs.core.atoms.tree_paths import LOCAL_FOLDER
from cortexfs.core.process_events.find_overdue import find_overdue
from cortexfs.core.process_events.process_event import EventType, parse_event_time
from cortexfs.errors import CortexError, HistoryFailed
from cortexfs.operations.list_processes import drain_waiting_notes, list_processes
from cortexfs.operations.record_event import EventFields, spool_event
from cortexfs.session.run_stop_command import has_stop_command, run_stop_command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.process_events.agent_process import AgentProcess
    from cortexfs.core.process_events.find_overdue import OverdueProcess
    from cortexfs.session.session import Session

MAX_GAP_S = 1800
"""Seconds between two passes above which the second one only observes: after a suspended machine,
a jump of the clock or a pause of the daemon every process seems to be silent."""

_TIME_KEY = "supervision-last-run"


class FlaggedProcess(NamedTuple):
    """A process that was flagged, and why; whether it was stopped, or why that failed."""

    process: AgentProcess
    reason: str
    is_stopped: bool = False
    stop_error: str = ""


class SupervisionReport(NamedTuple):
    """What a pass did; `skipped_reason` is why it flagged nothing, or empty."""

    flagged: tuple[FlaggedProcess, ...] = ()
    skipped_reason: str = ""

    def format_lines(self) -> list[str]:
        """Return a line for the log for each flagged process."""
        return [f"flagged {_describe(each)}" for each in self.flagged]


def supervise(session: Session, environ: Mapping[str, str]) -> SupervisionReport:
    """Make one pass: flag each overdue process once, and stop it if the user's settings say how.

    A pass whose view of the processes is old flags nothing: if notes could not be logged, and
    after a long pause.
    """
    settings = session.settings.supervision
    if not settings.is_on:
        return SupervisionReport(skipped_reason="supervision is off")
    now = session.clock().astimezone(UTC)
    is_resumed = _note_pass(session, now)
    processes = list_processes(session)
    if is_resumed:
        return SupervisionReport(skipped_reason="no pass before, or a long pause")
    if _has_backlog(session, now):
        return SupervisionReport(skipped_reason="notes wait that could not be logged")
    overdue = find_overdue(processes, now, settings)
    return SupervisionReport(tuple(_flag_all(session, overdue, environ)))


def _note_pass(session: Session, now: datetime) -> bool:
    """Store the time of this pass; return whether the one before is missing or too long ago."""
    text = session.catalog.get_value(_TIME_KEY)
    session.reader.store_value(_TIME_KEY, now.isoformat())
    try:
        gap = now - datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return True
    return not timedelta() <= gap <= timedelta(seconds=MAX_GAP_S)


def _has_backlog(session: Session, now: datetime) -> bool:
    """Return whether a note from before this pass waits."""
    if not session.tree.spool.count_waiting():
        return False
    times = (parse_note_time(note.name) for note in session.tree.spool.read_waiting())
    return any(time and parse_event_time(time) < now for time in times)


def _flag_all(
    session: Session, overdue: list[OverdueProcess], environ: Mapping[str, str]
) -> list[FlaggedProcess]:
    """Record the flags, and then run the user's command for each flagged process.

    A process whose flag cannot be recorded is left alone: it would be stopped again and again.
    """
    done: list[FlaggedProcess] = []
    for process, _, reason in overdue:
        fields = EventFields(EventType.FLAGGED, process.session, process.agent, reason)
        with suppress(OSError, CortexError):
            spool_event(session, fields._replace(project=process.project), session.tree.root)
            done.append(FlaggedProcess(process, reason))
    drain_waiting_notes(session)
    if not has_stop_command(environ):
        return done
    if problem := _find_distrust(session):
        return [each._replace(stop_error=problem) for each in done]
    return [_stop(each, environ) for each in done]


def _find_distrust(session: Session) -> str:
    """Return why the events may come from somebody else, who could choose what is stopped."""
    try:
        with session.view_without_refresh() as view:
            history = view.repository.history
            is_foreign = history is not None and history.is_tracked(LOCAL_FOLDER)
    except HistoryFailed as error:
        return f"the repository cannot be read: {error}"
    return f"git tracks {LOCAL_FOLDER}, so its events may come from a clone" if is_foreign else ""


def _stop(flagged: FlaggedProcess, environ: Mapping[str, str]) -> FlaggedProcess:
    error = run_stop_command(flagged.process, environ)
    return flagged._replace(is_stopped=not error, stop_error=error)


def _describe(flagged: FlaggedProcess) -> str:
    process = flagged.process
    end = f", not stopped: {flagged.stop_error}" if flagged.stop_error else ""
    end = ", stopped" if flagged.is_stopped else end
    return f"{process.type} {process.id}: {flagged.reason}{end}"
