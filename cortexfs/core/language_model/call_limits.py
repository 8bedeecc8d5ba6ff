"""Limits of calls to a language model: a budget for each day, pauses after failures, retries."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import NamedTuple

FAILURES_BEFORE_PAUSE = 3
"""Number of failed calls in a row after which no call is made for a while."""
PAUSE_S = 1800
"""Seconds without a call after so many failures; also the longest time a server can ask for."""
MAX_RETRIES = 2
FIRST_DELAY_S = 0.5
"""Upper bound of the delay before the first retry, in seconds; it doubles each time."""
_RETRIED_STATUSES = {408, 429}
_SERVER_ERRORS = range(500, 600)
_MAX_NUMBER = 1e12


class CallState(NamedTuple):
    """What is remembered between calls; times are seconds since 1970."""

    day: str = ""
    calls: int = 0
    failures: int = 0
    paused_until: float = 0
    last_failure_at: float = 0
    last_failure: str = ""


def parse_call_state(content: bytes) -> CallState:
    """Return the stored state; a new one if the content is not one."""
    try:
        fields = json.loads(content)
        state = CallState(**fields)
        numbers = (state.calls, state.failures, state.paused_until, state.last_failure_at)
        texts = (state.day, state.last_failure)
    except (ValueError, TypeError, RecursionError):
        return CallState()
    valid = all(type(number) in {int, float} and 0 <= number < _MAX_NUMBER for number in numbers)
    return state if valid and all(isinstance(text, str) for text in texts) else CallState()


def format_call_state(state: CallState) -> bytes:
    """Return the state as JSON."""
    fields = {
        "day": state.day,
        "calls": state.calls,
        "failures": state.failures,
        "paused_until": state.paused_until,
        "last_failure_at": state.last_failure_at,
        "last_failure": state.last_failure,
    }
    return json.dumps(fields).encode()


def count_calls_left(state: CallState, calls_per_day: int, now: datetime) -> int:
    """Return how many calls are left on the day of `now` in UTC."""
    calls = state.calls if state.day == _format_day(now) else 0
    return max(calls_per_day - calls, 0)


def is_paused(state: CallState, now: datetime) -> bool:
    """Return whether no call may be made yet; a pause that begins in the future is over."""
    return 0 < state.paused_until - now.timestamp() <= PAUSE_S


def add_call(state: CallState, now: datetime) -> CallState:
    """Return the state with one more call on this day."""
    day = _format_day(now)
    return state._replace(day=day, calls=state.calls + 1 if state.day == day else 1)


def add_failure(
    state: CallState, message: str, now: datetime, retry_after_s: float = 0
) -> CallState:
    """Return the state after a failure; the third in a row, or the server, begins a pause."""
    failures = state.failures + 1
    pause_s = PAUSE_S if failures >= FAILURES_BEFORE_PAUSE else min(retry_after_s, PAUSE_S)
    return state._replace(
        failures=failures,
        paused_until=now.timestamp() + pause_s if pause_s else 0,
        last_failure_at=now.timestamp(),
        last_failure=message,
    )


def add_success(state: CallState) -> CallState:
    """Return the state after a valid answer: failures are no longer in a row."""
    return state._replace(failures=0, paused_until=0)


def can_retry_status(status: int) -> bool:
    """Return whether a request with this HTTP status may succeed if repeated."""
    return status in _RETRIED_STATUSES or status in _SERVER_ERRORS


def choose_delay(retry: int, retry_after_s: float, jitter: float) -> float:
    """Return the seconds before a retry (the first is 0); `jitter` is from 0 to 1.

    The delay is random between nothing and its bound, so that clients do not return together, but
    never less than the server asks for.
    """
    return max(FIRST_DELAY_S * (1 << retry) * jitter, retry_after_s)


def parse_retry_after(value: str, now: datetime) -> float:
    """Return the seconds of a `Retry-After` header, which is a number or a date; 0 if invalid."""
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return 0
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max((until - now) / timedelta(seconds=1), 0)


def _format_day(now: datetime) -> str:
    return now.astimezone(UTC).date().isoformat()
