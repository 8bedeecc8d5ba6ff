"""Leave out the patterns that another one already says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.patterns.habit import HabitKind
from cortexfs.core.patterns.parse_prompt import iter_topics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.patterns.pattern import Pattern

MAX_TOPICS = 5
"""Maximum number of topics of one project."""


def drop_redundant(patterns: Sequence[Pattern]) -> list[Pattern]:
    """Return the patterns without topics that occur only where another pattern has them.

    Of several topics of the same sessions the first stays, and of a project at most `MAX_TOPICS`.
    """
    kept: list[Pattern] = []
    for pattern in sorted(patterns, key=lambda each: each.habit.kind is HabitKind.TOPIC):
        if pattern.habit.kind is not HabitKind.TOPIC or not _is_redundant(pattern, kept):
            kept.append(pattern)
    wanted = set(map(id, kept))
    return [pattern for pattern in patterns if id(pattern) in wanted]


def _is_redundant(topic: Pattern, kept: Sequence[Pattern]) -> bool:
    sessions = {each.id for each in topic.hits}
    topics = 0
    for other in kept:
        if other.project != topic.project:
            continue
        is_topic = other.habit.kind is HabitKind.TOPIC
        topics += is_topic
        is_part = is_topic or topic.habit.key in {term for term, _ in iter_topics(other.wording)}
        if is_part and sessions <= {each.id for each in other.hits}:
            return True
    return topics >= MAX_TOPICS
