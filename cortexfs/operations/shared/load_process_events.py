"""Load the process events of the last days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.process_events.process_event import ProcessEvent, parse_event_line
from cortexfs.operations.shared.read_text_or_empty import read_text_or_empty

if TYPE_CHECKING:
    from cortexfs.session.session import Session

_FOLDER = ".cortexfs/events"


def load_process_events(session: Session, since_day: str) -> list[ProcessEvent]:
    """Return the events since a day (`2026-11-01`), in order of time, each note once."""
    names = [name for name in session.tree.list_names(_FOLDER) if name >= since_day]
    texts = (read_text_or_empty(session, f"{_FOLDER}/{name}") for name in names)
    events = [e for text in texts for line in text.splitlines() if (e := parse_event_line(line))]
    unique = {event.note or event: event for event in events}
    return sorted(unique.values())
