"""Dates and times as people and programs write them into a TASKS.yaml."""

from __future__ import annotations

from datetime import UTC, date, datetime


def parse_time(typed: str) -> datetime | None:
    """Read an ISO time, of UTC where it names no zone; None where it is none."""
    try:
        read = datetime.fromisoformat(typed.strip())
    except ValueError:
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def parse_day(typed: str) -> date | None:
    """Read the day of a date or time, in UTC; None where it is neither."""
    read = parse_time(typed)
    return read.astimezone(UTC).date() if read else None


def format_time(at: datetime) -> str:
    """Write a time in UTC, to the second."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
