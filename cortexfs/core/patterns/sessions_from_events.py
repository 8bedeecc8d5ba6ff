"""Group events into sessions, each with the habits that occurred in it."""

from __future__ import annotations

from collections import Counter
from datetime import date
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.patterns.habit import Habit, HabitKind, SessionHabits
from cortexfs.core.patterns.normalize_habits import normalize_command, normalize_path
from cortexfs.core.patterns.parse_prompt import (
    MAX_PROMPT_CHARS,
    clean_prompt,
    iter_topics,
    parse_question,
    split_sentences,
)
from cortexfs.core.patterns.user_wishes import parse_wish
from cortexfs.core.process_events.process_event import EventType
from cortexfs.core.text.sanitize import redact_secrets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.process_events.process_event import ProcessEvent

MAX_HABITS = 500
"""Maximum habits of one session in one project; a larger session adds no more."""
MAX_SENTENCES = 20
"""Maximum sentences of one prompt that are examined."""
MAX_KEY_CHARS = 300
_EXAMINED = {EventType.PROMPT, EventType.TOOL_FAILED, EventType.FILE_EDITED}


class _Found(NamedTuple):
    """One habit in one event; only one that repeats in other sessions if not `is_certain`."""

    habit: Habit
    wording: str
    is_certain: bool = True


class _SessionReader:
    """The habits of one session, event by event."""

    def __init__(self, ident: str, project: str) -> None:
        self.id = ident
        self.project = project
        self.days: dict[str, str] = {}
        self.found: dict[str, dict[Habit, _Found]] = {}
        self.recent_names: set[str] | None = None
        """What the agent edited and ran since the last prompt; None before the first prompt."""

    def add(self, event: ProcessEvent) -> None:
        """Add the habits of one event to those of its project."""
        self.project = event.project or self.project
        if not self.project:
            return
        self.days.setdefault(self.project, event.time[:10])
        habits = self.found.setdefault(self.project, {})
        for found in self._iter_found(event):
            if len(habits) < MAX_HABITS and len(found.habit.key) <= MAX_KEY_CHARS:
                habits.setdefault(found.habit, found)

    def _iter_found(self, event: ProcessEvent) -> Iterator[_Found]:
        event_text = redact_secrets(event.text[:MAX_PROMPT_CHARS])
        if event.type is EventType.PROMPT:
            if not event.agent:  # what a sub-agent is asked, an agent wrote
                yield from self._iter_prompt(clean_prompt(event_text))
            return
        is_edit = event.type is EventType.FILE_EDITED
        text = (
            normalize_path(event_text, self.project) if is_edit else normalize_command(event_text)
        )
        if text:
            name = text.rpartition("/")[2].lower()
            if self.recent_names is not None:
                self.recent_names |= {name, name.partition(".")[0], name.partition(" ")[0]}
            kind = HabitKind.EDIT if is_edit else HabitKind.FAILURE
            yield _Found(Habit(kind, text), text)

    def _iter_prompt(self, text: str) -> Iterator[_Found]:
        if not text:
            return
        for sentence in islice(split_sentences(text), MAX_SENTENCES):
            wish = parse_wish(sentence, self.recent_names)
            if wish:
                yield _Found(wish.habit, sentence, wish.is_certain)
            elif question := parse_question(sentence):
                yield _Found(Habit(HabitKind.QUESTION, question), sentence)
        for term, word in iter_topics(text):
            yield _Found(Habit(HabitKind.TOPIC, term), word)
        self.recent_names = set()


def group_sessions(
    events: Iterable[ProcessEvent], project_of_session: Mapping[str, str]
) -> list[SessionHabits]:
    """Return the sessions of each project, oldest first; the events are in order of time.

    A session without a prompt, an edit and a failure is none: nothing could occur in it. An event
    without a project belongs to the one before it. `project_of_session` has the projects of
    sessions whose first events name none.
    """
    events = [e for e in events if e.session and e.type in _EXAMINED and _is_day(e.time[:10])]
    first_projects = dict(project_of_session)
    for event in reversed(events):
        if event.project:
            first_projects[event.session] = event.project
    readers: dict[str, _SessionReader] = {}
    for event in events:
        reader = readers.get(event.session)
        if reader is None:
            known = first_projects.get(event.session, "")
            reader = readers[event.session] = _SessionReader(event.session, known)
        reader.add(event)
    return _list_sessions(list(readers.values()))


@lru_cache(maxsize=512)
def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _list_sessions(readers: Sequence[_SessionReader]) -> list[SessionHabits]:
    """Return the sessions, without uncertain habits that only one of them has."""
    counts = Counter(
        (project, habit) for r in readers for project, habits in r.found.items() for habit in habits
    )
    sessions = [
        SessionHabits(
            reader.id,
            project,
            reader.days[project],
            {
                habit: found.wording
                for habit, found in habits.items()
                if found.is_certain or counts[project, habit] > 1
            },
        )
        for reader in readers
        for project, habits in reader.found.items()
    ]
    return sorted(sessions, key=lambda each: (each.day, each.id, each.project))
