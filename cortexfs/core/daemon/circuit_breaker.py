"""What follows from failures of a job: a growing delay, and a pause after three in a row."""

from __future__ import annotations

from typing import NamedTuple

FIRST_RETRY_S = 30.0
"""Seconds after which a job that failed once is tried again; doubled with each failure."""
MAX_RETRY_S = 600.0
"""Maximum seconds between two tries."""
FAILURES_TO_OPEN = 3
"""Failures in a row that open the circuit."""
OPEN_S = 1800.0
"""Seconds for which an open circuit lets no run through."""
MIN_TIMEOUT_S = 300.0
MAX_TIMEOUT_S = 3600.0
TIMEOUT_INTERVALS = 6
"""A job may take this many of its intervals, within the limits above."""


class CircuitBreaker(NamedTuple):
    """The failures of one job in a row, and until when it is not run (seconds; 0: it may run)."""

    failures: int = 0
    open_until: float = 0.0

    def is_open(self, now: float) -> bool:
        """Return whether no run is let through now."""
        return now < self.open_until

    def after_failure(self, now: float) -> CircuitBreaker:
        """Return the breaker after one more failure; the third in a row opens it."""
        failures = self.failures + 1
        until = now + OPEN_S if failures >= FAILURES_TO_OPEN else 0.0
        return CircuitBreaker(failures, until)

    def after_success(self) -> CircuitBreaker:
        """Return the breaker after a success, which forgets all failures."""
        return CircuitBreaker()

    def retry_delay_s(self, waited_s: float, now: float) -> float:
        """Return the seconds until the next try, `waited_s` seconds after the last one."""
        if self.open_until:
            return max(0.0, self.open_until - now)
        return max(0.0, compute_backoff_s(self.failures) - waited_s)


def compute_backoff_s(failures: int) -> float:
    """Return the seconds to wait after so many failures in a row: 30, 60, 120, 240, 480, 600."""
    if failures <= 0:
        return 0.0
    return min(MAX_RETRY_S, FIRST_RETRY_S * float(2 ** min(failures - 1, 10)))


def compute_timeout_s(interval_s: float) -> float:
    """Return the seconds that a job with this interval may take."""
    return min(MAX_TIMEOUT_S, max(MIN_TIMEOUT_S, TIMEOUT_INTERVALS * interval_s))
