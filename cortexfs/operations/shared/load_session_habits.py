"""Load the sessions of the last weeks with their habits: from the events, and from the memory."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import PROMPT_KIND, SESSION_KIND
from cortexfs.core.patterns.sessions_from_events import group_sessions
from cortexfs.core.process_events.process_event import EventType, ProcessEvent
from cortexfs.operations.shared.load_memories import load_prompts
from cortexfs.operations.shared.plan_memory_files import default_session

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.patterns.habit import SessionHabits
    from cortexfs.session.view import View

MAX_PROMPTS, MAX_SESSIONS = 2000, 5000
"""Maximum number of prompts and sessions of the memory that are read, latest first."""


def load_session_habits(
    view: View, events: Sequence[ProcessEvent], since_day: str
) -> list[SessionHabits]:
    """Return the sessions from a day to tomorrow, oldest first; clocks differ by less."""
    rows = view.memories.list_recent(SESSION_KIND, limit=MAX_SESSIONS)
    projects = {row.session: row.project for row in rows if row.project}
    last_day = (view.clock().date() + timedelta(days=1)).isoformat()
    prompts = _iter_saved_prompts(view, events, since_day)
    recent = [e for e in (*events, *prompts) if since_day <= e.time[:10] <= last_day]
    return group_sessions(sorted(recent), projects)


def _iter_saved_prompts(
    view: View, events: Sequence[ProcessEvent], since_day: str
) -> Iterator[ProcessEvent]:
    """Yield the prompts of the memory as events, of sessions that have no prompts in the events."""
    logged = {event.session for event in events if event.type is EventType.PROMPT}
    rows = [
        row
        for row in view.memories.list_recent(PROMPT_KIND, limit=MAX_PROMPTS)
        if row.created[:10] >= since_day
        and row.session not in {"", default_session(row.project), *logged}
    ]
    for prompt in load_prompts(view, rows):
        yield ProcessEvent(
            prompt.created,
            EventType.PROMPT,
            client="",
            session=prompt.session_id,
            project=prompt.project,
            text=prompt.content,
        )
