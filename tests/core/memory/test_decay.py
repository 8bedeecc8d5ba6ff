"""The importance of a memory decays with age and lack of reads, as documented."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.memory.decay import TYPE_IMPORTANCES, compute_decayed_importance

NOW = datetime(2026, 5, 6, 20, 31, 10, tzinfo=UTC)


def _ago(days: float | None) -> str:
    if days is None:
        return ""
    return (NOW - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")


def _decay(
    memory_type: str, days: float, read_days: float | None, *, scope: str = "project"
) -> float:
    return compute_decayed_importance(memory_type, scope, _ago(days), _ago(read_days), NOW)


@pytest.mark.parametrize(
    ("memory_type", "days", "read_days", "expected"),
    [
        ("fact", 0, 10, 0.6),
        ("fact", 0, None, 0.54),
        ("fact", 0, 6.9, 0.66),
        ("fact", 0, 7, 0.6),
        ("fact", 0, 30.9, 0.6),
        ("fact", 0, 31, 0.54),
        ("fact", 1, 10, 0.57),
        ("fact", 9, 10, 0.33),
        ("fact", 10, 10, 0.3),
        ("fact", 400, 10, 0.3),
        ("fact", 400, None, 0.27),
        ("Fact ", 400, 1, 0.33),
        ("goal", 5, 10, 0.675),
        ("goal", 0, 0, 0.99),
        ("todo", 400, None, 0.36),
        ("preference", 400, None, 0.315),
        ("observation", 400, None, 0.135),
        ("anything", 400, None, 0.135),
        ("manual", 400, None, 0.09),
    ],
)
def test_age_takes_half_at_most_and_reads_a_tenth_more_or_less(
    memory_type: str, days: float, read_days: float | None, expected: float
) -> None:
    assert _decay(memory_type, days, read_days) == expected


@pytest.mark.parametrize(
    ("memory_type", "scope", "expected"),
    [
        ("identity", "project", 1.0),
        ("human", "project", 0.85),
        ("decision", "project", 0.8),
        ("preference", "personal", 0.7),
    ],
)
def test_identity_decisions_and_preferences_of_the_user_do_not_decay(
    memory_type: str, scope: str, expected: float
) -> None:
    assert _decay(memory_type, 400, None, scope=scope) == expected
    assert _decay(memory_type, 0, 0, scope=scope) == expected


@pytest.mark.parametrize("updated", ["", "soon", "2027-01-01T00:00:00Z"])
def test_a_memory_of_unknown_age_is_as_new(updated: str) -> None:
    assert compute_decayed_importance("fact", "project", updated, _ago(10), NOW) == 0.6


def test_another_rate_decays_faster_or_slower() -> None:
    found = [
        compute_decayed_importance("fact", "project", _ago(2), _ago(10), NOW, rate)
        for rate in (0, 0.05, 0.1, 1)
    ]
    assert found == [0.6, 0.54, 0.48, 0.3]


@given(
    st.sampled_from([*TYPE_IMPORTANCES, "other"]),
    st.floats(0, 4000),
    st.floats(0, 4000),
    st.none() | st.floats(0, 4000),
)
def test_a_memory_never_gains_by_age_and_keeps_its_bounds(
    memory_type: str, days: float, more: float, read_days: float | None
) -> None:
    young, old = (_decay(memory_type, age, read_days) for age in (days, days + more))
    assert 0 <= old <= young <= 1
