"""Preferences that the user stated in several projects: proposals for USER.md."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.patterns.habit import Habit, HabitKind
from cortexfs.core.patterns.parse_prompt import shorten_wording
from cortexfs.core.patterns.pattern import make_pattern_id
from cortexfs.core.patterns.user_wishes import parse_wish

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.governance.user_preferences import Preference
    from cortexfs.core.patterns.habit import SessionHabits

MIN_SESSIONS, MIN_PROJECTS = 3, 2
MAX_KEY_CHARS = 40


class Proposal(NamedTuple):
    """An instruction that was given in several projects, in the latest words; sessions in order."""

    habit: Habit
    wording: str
    sessions: tuple[SessionHabits, ...]

    @property
    def id(self) -> str:
        """The name by which it is accepted or rejected; the same in every run."""
        return make_pattern_id("", self.habit)

    @property
    def key(self) -> str:
        """The key of the preference in USER.md: the terms of the instruction."""
        return self.habit.key.replace(":", " ").replace("*", " ")[:MAX_KEY_CHARS].strip()

    @property
    def projects(self) -> tuple[str, ...]:
        """The projects in which it was given."""
        return tuple(sorted({each.project for each in self.sessions}))


def find_proposals(
    sessions: Iterable[SessionHabits], preferences: Iterable[Preference]
) -> list[Proposal]:
    """Return what the user said in at least three sessions of at least two projects.

    What USER.md already says is left out. The sessions are in order of time.
    """
    stated: defaultdict[Habit, list[SessionHabits]] = defaultdict(list)
    for session in sessions:
        for habit in session.wordings:
            if habit.kind is HabitKind.INSTRUCTION:
                stated[habit].append(session)
    for preference in preferences:
        stated.pop(_to_habit(preference.value), None)
        for habit in [each for each in stated if each.key == preference.key]:
            del stated[habit]
    proposals = [
        Proposal(habit, shorten_wording(group[-1].wordings[habit]), tuple(group))
        for habit, group in stated.items()
        if _is_general(group)
    ]
    return sorted(proposals, key=lambda each: (-len(each.sessions), each.habit))


def _is_general(sessions: Sequence[SessionHabits]) -> bool:
    ids = {each.id for each in sessions}
    return len(ids) >= MIN_SESSIONS and len({each.project for each in sessions}) >= MIN_PROJECTS


def _to_habit(value: str) -> Habit:
    """Return the instruction that a preference states; of no instruction, one that nobody gave."""
    wish = parse_wish(value, None)
    return wish.habit if wish else Habit(HabitKind.INSTRUCTION, "")
