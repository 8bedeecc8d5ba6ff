"""Budget, pause and retries as functions of values."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from for_each import for_each

from cortexfs.core.language_model.call_limits import (
    CallState,
    add_call,
    add_failure,
    add_success,
    can_retry_status,
    choose_delay,
    count_calls_left,
    format_call_state,
    is_paused,
    parse_call_state,
    parse_retry_after,
)

NOON = datetime(2026, 5, 6, 12, tzinfo=UTC)


def test_calls_are_counted_by_the_day_in_utc() -> None:
    state = add_call(add_call(CallState(), NOON), NOON + timedelta(hours=11))
    assert count_calls_left(state, 3, NOON) == 1
    assert count_calls_left(state, 1, NOON) == 0
    assert count_calls_left(state, 3, NOON + timedelta(hours=12)) == 3
    assert add_call(state, NOON + timedelta(days=1)).calls == 1


def test_the_third_failure_in_a_row_begins_a_pause_of_half_an_hour() -> None:
    state = CallState()
    for count in range(3):
        assert not is_paused(state, NOON), count
        state = add_failure(state, "no", NOON)
    assert is_paused(state, NOON + timedelta(seconds=1799))
    assert not is_paused(state, NOON + timedelta(seconds=1801))
    assert not is_paused(state, NOON - timedelta(days=1))  # the clock was set back
    assert not is_paused(add_success(state), NOON)


def test_after_a_pause_one_failure_begins_the_next() -> None:
    state = add_failure(CallState(failures=3), "no", NOON)
    assert is_paused(state, NOON)


def test_a_server_that_asks_for_time_gets_it_up_to_half_an_hour() -> None:
    assert is_paused(add_failure(CallState(), "no", NOON, 60), NOON + timedelta(seconds=59))
    state = add_failure(CallState(), "no", NOON, 10**9)
    assert not is_paused(state, NOON + timedelta(seconds=1801))


@for_each([408, 429, 500, 502, 503, 529])
def test_what_may_pass_is_tried_again(status: int) -> None:
    assert can_retry_status(status)


@for_each([301, 400, 401, 403, 404, 422])
def test_what_will_not_pass_is_not(status: int) -> None:
    assert not can_retry_status(status)


def test_a_delay_is_random_and_at_least_what_the_server_asks_for() -> None:
    assert [choose_delay(retry, 0, 1) for retry in range(3)] == [0.5, 1, 2]
    assert choose_delay(1, 0, 0) == 0
    assert choose_delay(0, 7, 0.3) == 7


@for_each(
    [
        ("7", 7),
        (" 7 ", 7),
        ("Wed, 06 May 2026 12:00:30 GMT", 30),
        ("Wed, 06 May 2026 11:00:00 GMT", 0),
        ("-1", 0),
        ("soon", 0),
        ("", 0),
        ("٣", 0),
    ]
)
def test_retry_after_is_a_number_or_a_date(case: tuple[str, float]) -> None:
    value, seconds = case
    assert parse_retry_after(value, NOON) == seconds


def test_the_state_is_read_as_it_was_written() -> None:
    state = add_failure(add_call(CallState(), NOON), "no answer", NOON, 5)
    assert parse_call_state(format_call_state(state)) == state


@for_each(
    [b"", b"[]", b"null", b'{"calls": -1}', b'{"calls": "1"}', b'{"x": 1}', b"[" * 99999, b"\xff",
     b'{"day": 1}', b'{"paused_until": 1e99}', b'{"calls": NaN}', b'{"calls": true}']
)  # fmt: skip
def test_a_damaged_state_is_a_new_one(content: bytes) -> None:
    assert parse_call_state(content) == CallState()
