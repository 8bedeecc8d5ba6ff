"""The score of a memory is the documented sum, and only what is old and low is archived."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.memory.importance_score import (
    TYPE_BONUSES,
    MemoryScore,
    compute_importance,
)

NOW = datetime(2026, 5, 6, 20, 31, 10, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def _ago(age: timedelta | None) -> str:
    return "" if age is None else (NOW - age).strftime("%Y-%m-%dT%H:%M:%SZ")


@pytest.mark.parametrize(
    ("memory_type", "age", "reads", "last_read", "incoming", "expected"),
    [
        ("decision", 2 * DAY, 5, HOUR, 3, "2.58"),
        ("bugfix", 30 * DAY, 0, 48 * HOUR, 0, "0.50"),
        ("manual", DAY, 15, HOUR / 2, 0, "1.99"),
        ("pattern", 0 * DAY, 0, None, 10, "2.20"),
        ("config", 365 * DAY, 0, None, 0, "0.10"),
        ("decision", 0 * DAY, 0, None, 0, "1.50"),
    ],
)
def test_the_score_is_the_sum_of_its_parts(
    memory_type: str,
    age: timedelta,
    reads: int,
    last_read: timedelta | None,
    *,
    incoming: int,
    expected: str,
) -> None:
    score = compute_importance(memory_type, _ago(age), reads, _ago(last_read), incoming, NOW)
    assert f"{score.total:.2f}" == expected
    assert score.total == float(expected)
    assert (score.reads, score.last_read) == (reads, _ago(last_read))


def test_each_part_is_shown() -> None:
    found = compute_importance("discovery", _ago(10 * DAY), 3, _ago(HOUR), 2, NOW)
    assert found == MemoryScore(
        total=1.75,
        base=0.5,
        access_bonus=0.3,
        recency_bonus=0.5,
        edge_bonus=0.4,
        type_bonus=0.15,
        age_penalty=0.1,
        reads=3,
        last_read=_ago(HOUR),
    )


@pytest.mark.parametrize(
    ("age", "last_read", "is_recent"),
    [
        (DAY, None, True),
        (DAY + timedelta(seconds=1), None, False),
        (90 * DAY, DAY, True),
        (90 * DAY, 25 * HOUR, False),
        (HOUR, 25 * HOUR, False),
        (90 * DAY, -HOUR, True),
        (90 * DAY, -400 * DAY, False),
    ],
)
def test_a_memory_is_recent_by_its_last_read_or_else_by_its_creation(
    age: timedelta, last_read: timedelta | None, *, is_recent: bool
) -> None:
    score = compute_importance("manual", _ago(age), 1, _ago(last_read), 0, NOW)
    assert score.recency_bonus == (0.5 if is_recent else 0.0)


def test_a_time_in_the_future_is_no_bonus() -> None:
    assert compute_importance("manual", _ago(-30 * DAY), 0, "", 0, NOW).total == 0.5


@pytest.mark.parametrize("created", ["", "yesterday", "2026-13-01", "9999-99-99T00:00:00Z"])
def test_an_unknown_time_of_creation_adds_and_takes_nothing(created: str) -> None:
    assert compute_importance("manual", created, 0, "", 0, NOW).total == 0.5


def test_a_day_without_a_time_is_its_beginning_in_utc() -> None:
    assert compute_importance("manual", "2026-05-06", 0, "", 0, NOW).recency_bonus == 0.5


TIMES = st.datetimes(timezones=st.sampled_from([UTC])).map(datetime.isoformat) | st.text(max_size=9)


@given(
    st.sampled_from([*TYPE_BONUSES, "manual", "other"]), TIMES, st.integers(), TIMES, st.integers()
)
def test_a_score_is_between_0_and_5(
    memory_type: str, created: str, reads: int, last_read: str, incoming: int
) -> None:
    reads, incoming = (max(min(n, 10**9), -(10**9)) for n in (reads, incoming))
    score = compute_importance(memory_type, created, reads, last_read, incoming, NOW)
    assert 0 <= score.total <= 5
