"""Plan the observations of patterns: new ones, new numbers, and the end of a pattern."""

from __future__ import annotations

from datetime import date, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import OBSERVATION_KIND
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.changes.plan import Write
from cortexfs.core.memory.memory_record import PROJECT_SCOPE, parse_memory_record
from cortexfs.core.memory.memory_text import change_memory_text, format_memory_text, format_time
from cortexfs.core.patterns.pattern_text import (
    ENDED_PREFIX,
    TOPIC_PREFIX,
    PatternText,
    is_own_origin,
    make_topic_key,
    parse_pattern_id,
    render_ended,
    render_pattern,
)
from cortexfs.errors import NoSuchAtom
from cortexfs.operations.shared.load_memories import parse_memory_text, read_memory_text
from cortexfs.operations.shared.resolve_names import require_kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.memory.memory_record import MemoryRecord
    from cortexfs.core.patterns.habit import SessionHabits
    from cortexfs.core.patterns.pattern import Pattern
    from cortexfs.session.view import View

PATTERN_TYPE, PATTERN_TOOL = "pattern", "cortexfs"
"""The type of such an observation, and the tool that saved it."""
REVISION_DAYS = 7
"""Days after which the numbers of a pattern are written again; its end is written at once."""


class ObservationAction(StrEnum):
    """What happens with the observation of a pattern."""

    NEW = "new"
    UPDATED = "updated"
    ENDED = "ended"
    UNCHANGED = "unchanged"


class PatternObservation(NamedTuple):
    """The observation of a pattern: its ref, what happens with it, its text and its write."""

    id: str
    ref: str
    action: ObservationAction
    text: PatternText
    write: Write | None


class StoredObservation(NamedTuple):
    """An observation of a pattern as it is in the tree."""

    record: MemoryRecord
    file_text: str
    is_current: bool
    """Whether nobody deleted, marked or edited it."""

    @property
    def id(self) -> str:
        """The id of the pattern."""
        return parse_pattern_id(self.record.topic_key)

    @property
    def text(self) -> PatternText:
        """Its title and content."""
        return PatternText(self.record.title, self.record.content)

    @property
    def has_ended(self) -> bool:
        """Whether it says that the pattern ended."""
        return self.record.title.startswith(ENDED_PREFIX)


def load_pattern_observations(view: View) -> dict[str, StoredObservation]:
    """Return the observations of patterns by the id of the pattern, also the deleted ones."""
    stored: dict[str, StoredObservation] = {}
    for row in view.memories.list_topics_below(TOPIC_PREFIX):
        try:
            text = read_memory_text(view, row.path)
            atom, body = parse_memory_text(view, row.path, text)
        except NoSuchAtom:  # unreadable: `check` reports it
            continue
        record = parse_memory_record(atom, body)
        if is_own_origin(record.origin):
            is_marked = bool(record.deleted_at or atom.text_field("status"))
            is_own = record.origin == PatternText(record.title, record.content).origin
            found = StoredObservation(record, text, is_own and not is_marked)
            stored.setdefault(found.id, found)
    return stored


def plan_new_observation(view: View, pattern: Pattern, offset: int) -> PatternObservation:
    """Return a new observation of a pattern; `offset` is added to the next free number."""
    kind = require_kind(view, OBSERVATION_KIND)
    ident = kind.format_id(view.memories.next_number(OBSERVATION_KIND) + offset)
    text, now = render_pattern(pattern), format_time(view.clock())
    fields: dict[str, str | tuple[str, ...]] = {
        "id": ident,
        "date": now[:10],
        "project": pattern.project,
        "summary": text.title,
        "tags": (PATTERN_TYPE, pattern.habit.kind),
        "type": PATTERN_TYPE,
        "scope": PROJECT_SCOPE,
        "topic-key": make_topic_key(pattern),
        "tool": PATTERN_TOOL,
        "revision": "1",
        "created": now,
        "last-seen": now,
        "origin": text.origin,
    }
    path = f"{kind_folder(pattern.project, kind)}/{ident}.md"
    write = Write(path, format_memory_text(fields, text.content))
    return PatternObservation(
        pattern.id, f"{pattern.project}/{ident}", ObservationAction.NEW, text, write
    )


def plan_current_observation(
    view: View, pattern: Pattern, stored: StoredObservation
) -> PatternObservation:
    """Return the observation of a pattern that has one: new numbers, if it is time for them."""
    text = render_pattern(pattern)
    is_due = stored.has_ended or _is_due(stored.record, view.clock().date())
    if not stored.is_current or text.title == stored.record.title or not is_due:
        return _keep(stored)
    return _revise(view, stored, text, ObservationAction.UPDATED)


def plan_past_observation(
    view: View,
    stored: StoredObservation,
    pattern: Pattern | None,
    sessions: Sequence[SessionHabits],
    min_sessions: int,
) -> PatternObservation:
    """Return the observation of a pattern that is none any more: its end, or its present numbers.

    `pattern` has its numbers in the window, None if it did not occur; `sessions` are all of its
    project. It has ended if `min_sessions` have passed without it.
    """
    if not stored.is_current or stored.has_ended:
        return _keep(stored)
    after = sessions[-pattern.sessions_since :] if pattern else sessions
    count = pattern.sessions_since if pattern else len(sessions)
    if count >= min_sessions:
        ended = render_ended(stored.text, after[0].day, count)
        return _revise(view, stored, ended, ObservationAction.ENDED)
    return plan_current_observation(view, pattern, stored) if pattern else _keep(stored)


def _keep(stored: StoredObservation) -> PatternObservation:
    return PatternObservation(
        stored.id, stored.record.ref, ObservationAction.UNCHANGED, stored.text, None
    )


def _revise(
    view: View, stored: StoredObservation, text: PatternText, action: ObservationAction
) -> PatternObservation:
    """Return the observation with the write of a new text, the next revision."""
    fields = {
        "summary": text.title,
        "revision": str(stored.record.revision + 1),
        "last-seen": format_time(view.clock()),
        "origin": text.origin,
    }
    new = change_memory_text(stored.file_text, fields, text.content)
    write = Write(stored.record.path, new, stored.file_text)
    return PatternObservation(stored.id, stored.record.ref, action, text, write)


def _is_due(record: MemoryRecord, today: date) -> bool:
    try:
        last = date.fromisoformat(record.updated[:10])
    except ValueError:
        return True
    return today - last >= timedelta(days=REVISION_DAYS)
