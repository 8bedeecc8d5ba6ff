"""Plan a drain: turn the notes in the spool into lines of the access logs."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from cortexfs.core.access.access_log import format_log_line, parse_access_log
from cortexfs.core.access_events.note_to_access_events import find_access_events, parse_note_time
from cortexfs.core.access_events.payloads.parse_tool_call import parse_event_object
from cortexfs.core.atoms.tree_paths import access_log_path
from cortexfs.core.changes.plan import Append, Plan
from cortexfs.core.process_events.parse_process_events import parse_process_events

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cortexfs.core.access.access_log import AccessEvent
    from cortexfs.core.access_events.path_resolution import PathResolver
    from cortexfs.core.process_events.edited_paths import Places
    from cortexfs.core.process_events.process_event import ProcessEvent

COMMIT_MESSAGE = "chore: update access log"


def plan_drain(
    notes: Sequence[tuple[str, bytes]],
    resolver: PathResolver,
    log_text: Callable[[str], str | None],
    places: Places | None = None,
) -> Plan:
    """Return a plan that logs every access event in the notes and removes the notes.

    `notes` are pairs of name and payload. `log_text` returns the present text of a log by its path:
    an event that is in it is not written again, so an interrupted drain can be repeated. If it
    returns None, the log is not writable; notes with events for it are kept, the others are
    drained. With `places` the plan also has the process events of the drained notes.
    """
    parsed = {name: _parse_note(name, payload, resolver, places) for name, payload in notes}
    events_of = {name: access_events for name, (access_events, _) in parsed.items()}
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
    process_events = tuple(event for name in drained for event in parsed[name][1])
    return Plan(
        COMMIT_MESSAGE,
        appends=tuple(appends),
        spool_notes=tuple(drained),
        process_events=process_events,
    )


def _parse_note(
    name: str, payload: bytes, resolver: PathResolver, places: Places | None
) -> tuple[list[AccessEvent], list[ProcessEvent]]:
    """Return the events in a note, which is parsed once."""
    event, time = parse_event_object(payload), parse_note_time(name)
    access_events = find_access_events(name, time, event, resolver)
    return access_events, parse_process_events(name, time, event, places) if places else []


def _format_unlogged(events: Sequence[AccessEvent], text: str) -> tuple[str, ...]:
    """Return the lines of the events that a log does not contain yet."""
    logged = {(entry.note, entry.file) for entry in parse_access_log(text)[0]}
    once = {(event.note, event.file): event for event in events}
    return tuple(format_log_line(event) for key, event in once.items() if key not in logged)
