"""Report lines of the daemon: no repetition within minutes, and never an error."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

REPEAT_S = 600.0
"""Seconds within which a line is not repeated."""
MAX_LINES = 100
"""Maximum number of different lines that are remembered."""


def limit_reports(
    report: Callable[[str], object], read_clock: Callable[[], float]
) -> Callable[[str], None]:
    """Return a function that reports a line unless it was reported within the last minutes.

    A line that cannot be written is lost: the log may be on the disk that is full.
    """
    reported: dict[str, float] = {}

    def report_seldom(text: str) -> None:
        now = read_clock()
        if now - reported.get(text, now - REPEAT_S) < REPEAT_S:
            return
        reported.pop(text, None)
        if len(reported) >= MAX_LINES:
            del reported[next(iter(reported))]
        reported[text] = now
        with suppress(OSError, ValueError):  # a closed stream raises the latter
            report(text)

    return report_seldom
