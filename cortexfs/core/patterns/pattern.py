"""A habit that was measured: how often it occurred, and how often it would by chance."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cortexfs.core.patterns.habit import Habit, SessionHabits


class PatternRule(NamedTuple):
    """The minimum number of sessions with a habit, and of days with such sessions."""

    min_sessions: int = 5
    min_days: int = 3


DEFAULT_RULE = PatternRule()


class Pattern(NamedTuple):
    """A habit in a project, and how often it occurred since its first session.

    `hits` and `misses` are sessions, oldest first. `bound` is the lower bound of the rate;
    `base_rate` is what chance gives; `probability` is that of so many hits by chance.
    """

    project: str
    habit: Habit
    wording: str
    hits: tuple[SessionHabits, ...]
    misses: tuple[SessionHabits, ...]
    bound: float
    base_rate: float
    probability: float

    @property
    def id(self) -> str:
        """The name by which it is rejected; the same in every run."""
        return make_pattern_id(self.project, self.habit)

    @property
    def total(self) -> int:
        """The number of sessions since the first one with it."""
        return len(self.hits) + len(self.misses)

    @property
    def sessions_since(self) -> int:
        """The number of sessions after the last one with it."""
        last = (self.hits[-1].day, self.hits[-1].id)
        return sum((miss.day, miss.id) > last for miss in self.misses)


def make_pattern_id(project: str, habit: Habit) -> str:
    """Return eight hexadecimal digits; a project is part of it, a wish of all projects has none."""
    return sha256("\0".join((project, *habit)).encode(errors="replace")).hexdigest()[:8]
