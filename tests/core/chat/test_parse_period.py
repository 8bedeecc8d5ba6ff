"""The times that questions name."""

from __future__ import annotations

from datetime import date

import pytest

from cortexfs.core.chat.parse_period import find_period

TODAY = date(2026, 5, 6)  # a Wednesday

PERIODS = {
    "what changed today?": "2026-05-06",
    "since yesterday": "2026-05-05",
    "since Monday": "2026-05-04",
    "since Wednesday": "2026-04-29",
    "last friday": "2026-05-01",
    "this week": "2026-05-04",
    "last week": "2026-04-29",
    "this month": "2026-05-01",
    "this year": "2026-01-01",
    "in the last 3 days": "2026-05-03",
    "the past two weeks": "2026-04-22",
    "over the last couple of days": "2026-05-04",
    "a month ago": "2026-04-06",
    "since 2026-03-09": "2026-03-09",
    "2026-03": "2026-03-01",
    "7d": "2026-04-29",
    "last 999 years": "1028-01-04",
}


@pytest.mark.parametrize("text", PERIODS)
def test_a_period_begins_on_its_first_day(text: str) -> None:
    found = find_period(text, TODAY)
    assert found
    assert found.since == PERIODS[text]


@pytest.mark.parametrize(
    "text", ["", "no time at all", "2026-13-40", "EXP-2026-03", "the monday-note"]
)
def test_other_words_are_no_period(text: str) -> None:
    assert find_period(text, TODAY) is None


def test_the_words_of_a_period_are_known() -> None:
    found = find_period("what changed since Monday in driftwood", TODAY)
    assert found
    assert "what changed since Monday in driftwood"[found.start : found.end] == "since Monday"
