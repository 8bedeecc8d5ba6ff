"""List what runs: sessions, sub-agents and background tasks."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, timedelta
from typing import TYPE_CHECKING

from cortexfs.core.process_events.find_processes import find_processes
from cortexfs.errors import CortexError
from cortexfs.operations.shared.load_process_events import load_process_events
from cortexfs.session.process_event_log import count_skipped_events

if TYPE_CHECKING:
    from cortexfs.core.process_events.agent_process import AgentProcess
    from cortexfs.session.session import Session

HISTORY_DAYS = 7
"""Days of events that are read; what began before, and never ended since, is lost."""


def list_processes(session: Session, *, show_all: bool = False) -> list[AgentProcess]:
    """Return the processes that run, in the order of their sessions; with `show_all` all of a week.

    The notes that wait are logged first, if the tree can be written.
    """
    drain_waiting_notes(session)
    now = session.clock().astimezone(UTC)
    since_day = (now - timedelta(days=HISTORY_DAYS)).date().isoformat()
    events = load_process_events(session, since_day)
    found = find_processes(events, now, session.settings.supervision)
    return [process for process in found if show_all or not process.state.is_over]


def count_unlogged_events(session: Session) -> int:
    """Return the number of today's events that were not logged, because the day has too many."""
    today = session.clock().astimezone(UTC).date().isoformat()
    return count_skipped_events(session.tree, today)


def drain_waiting_notes(session: Session) -> None:
    """Log the notes that wait; what prevents that leaves them for later."""
    if session.tree.spool.count_waiting() and session.tree.is_writable():
        with suppress(OSError, CortexError):
            session.drain_spool()
