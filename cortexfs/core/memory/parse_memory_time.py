"""Parse the times in the fields of memories."""

from __future__ import annotations

from datetime import UTC, datetime


def parse_memory_time(typed: str) -> datetime | None:
    """Return an ISO date or time, in UTC if it has no zone; None if it is none."""
    try:
        at = datetime.fromisoformat(typed.strip())
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
