"""Load the process events of the last days."""

from __future__ import annotations

from datetime import UTC, timedelta
from heapq import nlargest
from typing import TYPE_CHECKING

from cortexfs.core.process_events.process_event import parse_event_line
from cortexfs.session.process_event_log import read_event_lines

if TYPE_CHECKING:
    from cortexfs.core.process_events.process_event import ProcessEvent
    from cortexfs.session.session import Session

MAX_EVENTS = 200_000
"""Maximum number of events that are returned, the newest: a memory limit."""


def load_process_events(session: Session, since_day: str) -> list[ProcessEvent]:
    """Return the events from a UTC day (`2026-05-06`) to tomorrow, oldest first, each note once.

    Later ones come from a clock that was wrong, or from a clone: they would seem to run for ever.
    Notes that wait in the spool are not among them, see `Session.drain_spool`.
    """
    by_note: dict[str, ProcessEvent] = {}
    last_day = (session.clock().astimezone(UTC).date() + timedelta(days=1)).isoformat()
    for line in read_event_lines(session.tree, since_day, last_day):
        event = parse_event_line(line) if line else None
        if event is not None and since_day <= event.time[:10] <= last_day:
            by_note.setdefault(event.note or line, event)
    newest = nlargest(MAX_EVENTS, by_note.values(), key=_get_position)
    return newest[::-1]


def _get_position(event: ProcessEvent) -> tuple[str, str]:
    return event.time, event.note
