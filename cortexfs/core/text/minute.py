"""Times as people read them."""

from __future__ import annotations


def format_minute(time: str) -> str:
    """Return a time (ISO 8601, UTC) to the minute: `2026-05-06 20:31`."""
    return time[:16].replace("T", " ")
