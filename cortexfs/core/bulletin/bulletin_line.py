"""The lines of a bulletin, and its sections in order."""

from __future__ import annotations

from typing import NamedTuple


class BulletinLine(NamedTuple):
    """One line: a cleaned text, its ref or path, its day (ISO 8601), and its score from 0 to 1."""

    section: str
    text: str
    source: str
    day: str
    score: float


class BulletinSection(NamedTuple):
    """A section: its title, the lines that it has at least, and its highest share of the budget.

    `max_words` is the number of words after which a line is cut. The lines stand in the order of
    their scores, or with `is_newest_first` of their days.
    """

    title: str
    floor: int
    max_share: float
    max_words: int
    is_newest_first: bool = False


IDENTITY, STATE, BLOCKERS, RECENT = "identity", "state", "blockers", "recent"
DECISIONS, GOALS, KNOWLEDGE = "decisions", "goals", "knowledge"
OBSERVATIONS, TASKS, SEE_ALSO = "observations", "tasks", "see-also"

SECTIONS = {
    IDENTITY: BulletinSection("Identity and preferences", 2, 0.12, 20),
    STATE: BulletinSection("Current state and next steps", 4, 0.30, 32),
    BLOCKERS: BulletinSection("Open blockers", 2, 0.14, 18),
    RECENT: BulletinSection("Recent activity", 3, 0.34, 16, is_newest_first=True),
    DECISIONS: BulletinSection("Decisions", 2, 0.16, 16),
    GOALS: BulletinSection("Active goals", 1, 0.10, 14),
    KNOWLEDGE: BulletinSection("Hot knowledge and anti-patterns", 3, 0.34, 16),
    OBSERVATIONS: BulletinSection("Observations", 1, 0.16, 16),
    TASKS: BulletinSection("Unblocked tasks", 2, 0.14, 14),
    SEE_ALSO: BulletinSection("See also", 1, 0.1, 0),
}
"""Every section by its key, in the order in which a bulletin has them."""
