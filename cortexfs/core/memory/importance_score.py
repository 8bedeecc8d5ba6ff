"""The importance of a memory: a score from 0 to 5, with its parts."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.memory.parse_memory_time import parse_memory_time

if TYPE_CHECKING:
    from datetime import datetime

MAX_SCORE = 5.0
"""The highest score; the lowest is 0."""
TYPE_BONUSES = {
    "decision": 0.5,
    "bugfix": 0.3,
    "pattern": 0.2,
    "discovery": 0.15,
    "config": 0.1,
    "learning": 0.1,
}
"""What a type adds to the score; any other adds nothing."""

_BASE = 0.5
_PER_READ, _MAX_ACCESS = 0.1, 1.0
_PER_LINK, _MAX_EDGES = 0.2, 1.0
_RECENCY = 0.5
_PER_DAY, _MAX_AGE_PENALTY = 0.01, 0.5
_RECENT = timedelta(hours=24)
_DIGITS = 4
"""Digits after the point, so that 0.5 + 0.1 - 0.5 is not less than 0.1."""


class MemoryScore(NamedTuple):
    """The score of a memory and its parts: the bonuses are added to `base`, the penalty is not.

    `reads` and `last_read` (empty: never read) are those of the access log. `number` is 0 until
    somebody fills it in.
    """

    total: float
    base: float
    access_bonus: float
    recency_bonus: float
    edge_bonus: float
    type_bonus: float
    age_penalty: float
    reads: int = 0
    last_read: str = ""
    number: int = 0


def compute_importance(  # noqa: PLR0917 - the figures of the formula, in its order
    memory_type: str, created: str, reads: int, last_read: str, incoming: int, now: datetime
) -> MemoryScore:
    """Return the score of a memory: its times as in its file, its reads and incoming relations.

    A memory without reads is recent if it was created within a day.
    """
    born = parse_memory_time(created)
    score = MemoryScore(
        total=0.0,
        base=_BASE,
        access_bonus=round(min(_PER_READ * max(reads, 0), _MAX_ACCESS), _DIGITS),
        recency_bonus=_RECENCY if _is_recent(parse_memory_time(last_read) or born, now) else 0.0,
        edge_bonus=round(min(_PER_LINK * max(incoming, 0), _MAX_EDGES), _DIGITS),
        type_bonus=TYPE_BONUSES.get(memory_type.strip().lower(), 0.0),
        age_penalty=round(min(_PER_DAY * _age_in_days(born, now), _MAX_AGE_PENALTY), _DIGITS),
        reads=max(reads, 0),
        last_read=last_read,
    )
    total = score.base + score.access_bonus + score.recency_bonus
    total += score.edge_bonus + score.type_bonus - score.age_penalty
    return score._replace(total=round(min(max(total, 0.0), MAX_SCORE), _DIGITS))


def _is_recent(at: datetime | None, now: datetime) -> bool:
    return at is not None and abs(now - at) <= _RECENT


def _age_in_days(at: datetime | None, now: datetime) -> float:
    """Return the age in days; 0 if the time is unknown or in the future."""
    return max((now - at) / timedelta(days=1), 0.0) if at else 0.0
