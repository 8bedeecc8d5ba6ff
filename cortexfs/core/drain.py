"""Notes of hooks in, lines for the access logs out."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from cortexfs.core.access import line, read_log
from cortexfs.core.looks.recognise import noted_at, recognise
from cortexfs.core.places import log_of
from cortexfs.core.plan import Append, Plan

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cortexfs.core.access import AccessEvent
    from cortexfs.core.looks.surroundings import Surroundings

MESSAGE = "chore: update access log"


def plan_drain(
    notes: Sequence[tuple[str, bytes]], around: Surroundings, logged: Callable[[str], str]
) -> Plan:
    """Log every look that the notes tell of, and forget the notes.

    `logged` gives a log's present text: what stands there is not written again, so that a
    drain that was killed halfway can be repeated.
    """
    fresh: dict[str, list[AccessEvent]] = defaultdict(list)
    for name, payload in notes:
        for event in recognise(name, noted_at(name), payload, around):
            fresh[log_of(event.project)].append(event)
    appends = [
        Append(path, lines)
        for path, events in sorted(fresh.items())
        if (lines := _unlogged(events, logged(path)))
    ]
    return Plan(MESSAGE, appends=tuple(appends), notes=tuple(name for name, _ in notes))


def _unlogged(events: Sequence[AccessEvent], text: str) -> tuple[str, ...]:
    known = {(look.note, look.file) for look in read_log(text)[0]}
    once = {(event.note, event.file): event for event in events}
    return tuple(line(event) for key, event in once.items() if key not in known)
