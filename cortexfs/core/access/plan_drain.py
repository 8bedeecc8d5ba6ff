"""Plan a drain: turn the notes in the spool into lines of the access logs."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from cortexfs.core.access.access_log import format_log_line, parse_access_log
from cortexfs.core.access_events.note_to_access_events import parse_access_events, parse_note_time
from cortexfs.core.atoms.tree_paths import access_log_path
from cortexfs.core.changes.plan import Append, Plan

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cortexfs.core.access.access_log import AccessEvent
    from cortexfs.core.access_events.path_resolution import PathResolver

COMMIT_MESSAGE = "chore: update access log"


def plan_drain(
    notes: Sequence[tuple[str, bytes]],
    resolver: PathResolver,
    log_text: Callable[[str], str | None],
) -> Plan:
    """Return a plan that logs every access event in the notes and removes the notes.

    `notes` are pairs of name and payload. `log_text` returns the present text of a log by its path:
    an event that is in it is not written again, so an interrupted drain can be repeated. If it
    returns None, the log is not writable; notes with events for it are kept, the others are
    drained.
    """
    events_of = {
        name: parse_access_events(name, parse_note_time(name), payload, resolver)
        for name, payload in notes
    }
    paths = {access_log_path(event.project) for events in events_of.values() for event in events}
    texts = {path: log_text(path) for path in sorted(paths)}
    drained: list[str] = []
    new_events: dict[str, list[AccessEvent]] = defaultdict(list)
    for name, events in events_of.items():
        if any(texts[access_log_path(event.project)] is None for event in events):
            continue
        drained.append(name)
        for event in events:
            new_events[access_log_path(event.project)].append(event)
    appends = [
        Append(path, lines)
        for path, events in sorted(new_events.items())
        if (lines := _format_unlogged(events, texts[path] or ""))
    ]
    return Plan(COMMIT_MESSAGE, appends=tuple(appends), spool_notes=tuple(drained))


def _format_unlogged(events: Sequence[AccessEvent], text: str) -> tuple[str, ...]:
    """Return the lines of the events that a log does not contain yet."""
    logged = {(entry.note, entry.file) for entry in parse_access_log(text)[0]}
    once = {(event.note, event.file): event for event in events}
    return tuple(format_log_line(event) for key, event in once.items() if key not in logged)
