"""The title and the text of an observation about a pattern."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.patterns.habit import HabitKind
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.patterns.habit import SessionHabits
    from cortexfs.core.patterns.pattern import Pattern

MAX_EVIDENCE, MAX_COUNTER_EXAMPLES = 10, 3
MAX_SESSION_CHARS = 40
"""Maximum characters of the id of a session."""
TOPIC_PREFIX = "cortexfs-pattern/"
"""What the topic keys of all patterns begin with; no suggested topic key does."""
ENDED_PREFIX = "Ended: "
"""What the title of a pattern that ended begins with."""
_ORIGIN = "cortexfs:patterns"
_ACTIONS = {
    HabitKind.TOPIC: 'prompts mention "{}"',
    HabitKind.QUESTION: 'the user asked "{}"',
    HabitKind.FAILURE: 'the command "{}" failed',
    HabitKind.EDIT: '"{}" was edited',
    HabitKind.CORRECTION: 'the user corrected: "{}"',
    HabitKind.INSTRUCTION: 'the user said: "{}"',
}


class PatternText(NamedTuple):
    """The title and the content of an observation."""

    title: str
    content: str

    @property
    def origin(self) -> str:
        """The field `origin`: that we made the text, and its digest, which shows a later edit."""
        digest = sha256("\n".join(self).encode(errors="replace")).hexdigest()[:12]
        return f"{_ORIGIN}#{digest}"


def is_own_origin(origin: str) -> bool:
    """Return whether an observation was made from a pattern."""
    return origin.startswith(f"{_ORIGIN}#")


def make_topic_key(pattern: Pattern) -> str:
    """Return the topic key of a pattern, by which a later run finds its observation."""
    slug = re.sub(r"[^a-z0-9]+", "-", pattern.habit.key.lower())[:40].strip("-")
    return f"{TOPIC_PREFIX}{pattern.habit.kind}/{f'{slug}-' if slug else ''}{pattern.id}"


def parse_pattern_id(topic_key: str) -> str:
    """Return the id of the pattern in a topic key."""
    return topic_key[-8:]


def describe_action(pattern: Pattern) -> str:
    """Return what occurred, in the user's words: `the user asked "…"`."""
    return _ACTIONS[pattern.habit.kind].format(pattern.wording)


def format_rate(pattern: Pattern) -> str:
    """Return how often it occurred: `in 6 of 7 sessions since 2026-11-01`."""
    return f"in {len(pattern.hits)} of {pattern.total} sessions since {pattern.hits[0].day}"


def render_pattern(pattern: Pattern) -> PatternText:
    """Return the text of a pattern that is current."""
    days = format_count(len({each.day for each in pattern.hits}), "day")
    rate, action = format_rate(pattern), describe_action(pattern)
    head = f"{rate[0].upper()}{rate[1:]}, on {days}: {action}."
    lines = [f"- with it: {_format_sessions(pattern.hits, MAX_EVIDENCE)}"]
    if pattern.misses:
        lines.append(f"- without it: {_format_sessions(pattern.misses, MAX_COUNTER_EXAMPLES)}")
    lines.append(f"- rate: at least {pattern.bound:.2f} (95 %); by chance: {pattern.base_rate:.2f}")
    return PatternText(
        f"{action[0].upper()}{action[1:]} {rate}",
        "\n".join([head, "", *lines, "", "Counted by cortexfs in the events of sessions."]),
    )


def render_ended(before: PatternText, day: str, count: int) -> PatternText:
    """Return the text of a pattern that did not occur in the last sessions, since a day."""
    lasting = "session has" if count == 1 else "sessions have"
    note = f"Ended: the last {count} {lasting} none of it, since {day}."
    return PatternText(f"{ENDED_PREFIX}{before.title}", f"{note}\n\n{before.content}")


def _format_sessions(sessions: Iterable[SessionHabits], limit: int) -> str:
    """Return the latest sessions as `DAY (ID)`, and how many there are."""
    every = list(sessions)
    shown = [f"{each.day} ({_format_id(each.id)})" for each in every[-limit:]]
    more = f"; {len(every) - limit} earlier" if len(every) > limit else ""
    return f"{', '.join(shown)}{more}"


def _format_id(ident: str) -> str:
    return re.sub(r"[^\w.:@-]+", "-", to_one_line(ident))[:MAX_SESSION_CHARS]
