"""The importance of a memory: a score from 0 to 5, with its parts, and what may be archived."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from cortexfs.core.settings.settings import DEFAULT_ARCHIVE_RULE

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
_NEVER_ARCHIVED_TYPES = frozenset({"decision"})
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
    born = _parse_time(created)
    score = MemoryScore(
        total=0.0,
        base=_BASE,
        access_bonus=round(min(_PER_READ * max(reads, 0), _MAX_ACCESS), _DIGITS),
        recency_bonus=_RECENCY if _is_recent(_parse_time(last_read) or born, now) else 0.0,
        edge_bonus=round(min(_PER_LINK * max(incoming, 0), _MAX_EDGES), _DIGITS),
        type_bonus=TYPE_BONUSES.get(memory_type.strip().lower(), 0.0),
        age_penalty=round(min(_PER_DAY * _age_in_days(born, now), _MAX_AGE_PENALTY), _DIGITS),
        reads=max(reads, 0),
        last_read=last_read,
    )
    total = score.base + score.access_bonus + score.recency_bonus
    total += score.edge_bonus + score.type_bonus - score.age_penalty
    return score._replace(total=round(min(max(total, 0.0), MAX_SCORE), _DIGITS))


def is_archivable(
    memory_type: str,
    created: str,
    score: MemoryScore | None,
    now: datetime,
    *,
    days: int = DEFAULT_ARCHIVE_RULE.days,
    below: float = DEFAULT_ARCHIVE_RULE.score,
) -> bool:
    """Return whether a memory is old and its score low; never without a score, or of a decision."""
    if score is None or memory_type.strip().lower() in _NEVER_ARCHIVED_TYPES:
        return False
    return _age_in_days(_parse_time(created), now) > days and score.total < below


def _is_recent(at: datetime | None, now: datetime) -> bool:
    return at is not None and abs(now - at) <= _RECENT


def _age_in_days(at: datetime | None, now: datetime) -> float:
    """Return the age in days; 0 if the time is unknown or in the future."""
    return max((now - at) / timedelta(days=1), 0.0) if at else 0.0


def _parse_time(typed: str) -> datetime | None:
    """Return an ISO date or time, in UTC if it has no zone; None if it is none."""
    try:
        at = datetime.fromisoformat(typed.strip())
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
