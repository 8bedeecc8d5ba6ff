"""How much a memory still matters: the importance of its type, reduced by age and lack of reads.

It is computed whenever it is needed and stored nowhere: the same files and the same day give the
same value, however often maintenance has run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.memory.memory_record import PERSONAL_SCOPE
from cortexfs.core.memory.parse_memory_time import parse_memory_time
from cortexfs.core.settings.maintenance_settings import DECAY_PER_DAY

if TYPE_CHECKING:
    from datetime import datetime

TYPE_IMPORTANCES = {
    "identity": 1.0,
    "goal": 0.9,
    "human": 0.85,
    "decision": 0.8,
    "todo": 0.8,
    "preference": 0.7,
    "architecture": 0.7,
    "fact": 0.6,
    "learning": 0.6,
    "discovery": 0.6,
    "pattern": 0.6,
    "bugfix": 0.6,
    "config": 0.6,
    "event": 0.4,
    "session_summary": 0.4,
    "observation": 0.3,
    "manual": 0.2,
    "passive": 0.2,
    "tool_use": 0.2,
}
"""The importance of a new memory by its type, from 0 to 1.

Identity to observation are the defaults of spacebot's cortex. Types that it does not have are
beside the nearest one; the last three say nothing about what a memory is.
"""
OTHER_IMPORTANCE = 0.3
"""The importance of a type that the table does not have."""
MAX_DECAY = 0.5
"""The part that a memory loses at most, however old it is."""
RECENT_READ_DAYS, RECENT_READ_FACTOR = 7, 1.1
"""A memory read in fewer days than this counts a tenth more."""
UNREAD_DAYS, UNREAD_FACTOR = 30, 0.9
"""A memory not read for more days than this, or never, counts a tenth less."""
LASTING_TYPES = frozenset({"identity", "human", "decision"})
"""Types of memories that do not decay, and are never archived by rule."""

_DIGITS = 4
"""Digits after the point, so that 0.6 * 0.5 * 1.1 is 0.33."""


def compute_decayed_importance(  # noqa: PLR0917 - the figures of the formula, in its order
    memory_type: str,
    scope: str,
    updated: str,
    last_read: str,
    now: datetime,
    per_day: float = DECAY_PER_DAY,
) -> float:
    """Return the importance of a memory at a time, from 0 to 1; only whole days count.

    A memory whose last change is unknown, or in the future, counts as changed today.
    """
    importance = TYPE_IMPORTANCES.get(_normalize_type(memory_type), OTHER_IMPORTANCE)
    if is_lasting(memory_type, scope):
        return importance
    days = _count_days(updated, now) or 0
    importance *= 1 - min(MAX_DECAY, max(days, 0) * per_day)
    return round(min(max(importance * _compute_read_factor(last_read, now), 0.0), 1.0), _DIGITS)


def is_lasting(memory_type: str, scope: str) -> bool:
    """Return whether a memory does not decay: an identity, a decision, a user's preference."""
    plain = _normalize_type(memory_type)
    return plain in LASTING_TYPES or (plain == "preference" and scope == PERSONAL_SCOPE)


def _compute_read_factor(last_read: str, now: datetime) -> float:
    days = _count_days(last_read, now)
    if days is None or days > UNREAD_DAYS:
        return UNREAD_FACTOR
    return RECENT_READ_FACTOR if days < RECENT_READ_DAYS else 1.0


def _count_days(typed: str, now: datetime) -> int | None:
    at = parse_memory_time(typed)
    return (now - at).days if at else None


def _normalize_type(memory_type: str) -> str:
    return memory_type.strip().lower()
