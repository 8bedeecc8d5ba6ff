"""A clock that never jumps, and counts the time that the machine sleeps where the system can."""

from __future__ import annotations

import time


def read_boot_clock() -> float:
    """Return seconds since some time in the past; on Linux the time in suspend counts."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()
