"""What recurs, and the sessions in which it did."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class HabitKind(StrEnum):
    """What sort of habit it is; part of the topic key of an observation."""

    TOPIC = "topic"
    QUESTION = "question"
    FAILURE = "failure"
    EDIT = "edit"
    CORRECTION = "correction"
    INSTRUCTION = "instruction"

    @property
    def is_wish(self) -> bool:
        """Whether a person said what the agent should do."""
        return self in {HabitKind.CORRECTION, HabitKind.INSTRUCTION}


class Habit(NamedTuple):
    """One candidate: `key` is its normalized form, equal for all wordings of the same habit."""

    kind: HabitKind
    key: str


class SessionHabits(NamedTuple):
    """What occurred in one session in one project: each habit once, with its first wording.

    A wording is what was typed: `shorten_wording` makes it fit to be shown.
    """

    id: str
    project: str
    day: str
    wordings: Mapping[Habit, str]
