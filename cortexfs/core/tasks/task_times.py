"""Dates and times as people and programs write them in a TASKS.yaml."""

from __future__ import annotations

from datetime import UTC, date, datetime


def parse_time(typed: str) -> datetime | None:
    """Parse an ISO time, in UTC if it has no zone; None if it is invalid."""
    try:
        read = datetime.fromisoformat(typed.strip())
    except ValueError:
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def parse_day_or_none(typed: str) -> date | None:
    """Return the date in UTC of a date or time; None if it is invalid."""
    read = parse_time(typed)
    return read.astimezone(UTC).date() if read else None


def format_time(at: datetime) -> str:
    """Format a time in UTC, to the second."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
