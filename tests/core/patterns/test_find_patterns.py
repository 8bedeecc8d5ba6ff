"""Habits are found, and chance makes none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.patterns import count_false, measure_power
from cortexfs.core.patterns.find_patterns import find_patterns
from cortexfs.core.patterns.habit import Habit, HabitKind, SessionHabits

if TYPE_CHECKING:
    from collections.abc import Sequence

EDIT = HabitKind.EDIT


def sessions(project: str, marks: str, *, a_day: int = 1) -> list[SessionHabits]:
    """Return a session for each character: `x` has the habit, `y` another one, `.` none."""
    return [
        SessionHabits(
            f"{project}-{at:02}",
            project,
            f"2026-11-{1 + at // a_day:02}",
            {Habit(EDIT, f"{mark}.py"): f"{mark}.py"} if mark != "." else {},
        )
        for at, mark in enumerate(marks)
    ]


def found(sample: Sequence[SessionHabits]) -> list[str]:
    return [f"{each.project} {each.habit.key}" for each in find_patterns(sample).patterns]


@pytest.mark.parametrize(
    ("marks", "is_pattern"),
    [
        ("xxxxx", True),
        ("....xxx.xxx", True),
        ("xxxx", False),
        ("x.x.x.x.x", False),
        ("xxxxx" + "." * 5, False),
    ],
)
def test_five_sessions_with_a_lower_bound_of_half_make_a_pattern(
    marks: str, is_pattern: bool
) -> None:
    assert found(sessions("a", marks)) == (["a x.py"] if is_pattern else [])


def test_sessions_count_and_not_events_and_they_need_three_days() -> None:
    assert found(sessions("a", "xxxxxx", a_day=3)) == []
    assert found(sessions("a", "xxxxxxx", a_day=3)) == ["a x.py"]


def test_the_denominator_begins_with_the_first_session_with_the_habit() -> None:
    (pattern,) = find_patterns(sessions("a", "...xxx.xxx")).patterns
    assert (len(pattern.hits), pattern.total, len(pattern.misses)) == (6, 7, 1)
    assert pattern.hits[0].day == "2026-11-04"


def test_what_is_as_frequent_in_other_projects_is_no_pattern_of_one() -> None:
    assert found(sessions("a", "xxxxx")) == ["a x.py"]
    assert found([*sessions("a", "xxxxx"), *sessions("b", "xxxxxxxxx.")]) == []
    assert found([*sessions("a", "xxxxx"), *sessions("b", "yzyzyzyzyz")]) == ["a x.py"]


def test_a_wish_may_be_the_same_in_every_project() -> None:
    wish = Habit(HabitKind.INSTRUCTION, "use uv")
    sample = [
        each._replace(wordings={wish: "use uv"})
        for name in "ab"
        for each in sessions(name, "xxxxx")
    ]
    assert found(sample) == ["a use uv", "b use uv"]


def test_the_more_candidates_the_higher_the_demand() -> None:
    five = sessions("a", "xxxxx")
    assert found(five) == ["a x.py"]
    noise = {Habit(EDIT, f"{number}.py"): "" for number in range(10_000)}
    five[0] = five[0]._replace(wordings={**five[0].wordings, **noise})
    assert found(five) == []


def test_a_topic_that_a_question_contains_is_left_out() -> None:
    asked, topic = Habit(HabitKind.QUESTION, "flang tight"), Habit(HabitKind.TOPIC, "flang")
    wordings = {asked: "how tight is the flange?", topic: "flange"}
    other = {Habit(HabitKind.TOPIC, "valv"): "valve"}
    sample = [each._replace(wordings={**wordings, **other}) for each in sessions("a", "xxxxxx")]
    sample[0] = sample[0]._replace(wordings=other)
    assert found(sample) == ["a valv", "a flang tight"]


def test_a_habit_that_is_lately_no_more_frequent_than_elsewhere_is_no_pattern() -> None:
    elsewhere = sessions("b", "x" * 70 + "." * 30, a_day=4)
    lately_less = sessions("a", "x" * 80 + "." * 20, a_day=4)
    lately_more = sessions("a", "." * 5 + "x" * 5 + "." * 15 + "x" * 75, a_day=4)
    assert found([*elsewhere, *lately_less]) == []
    assert found([*elsewhere, *lately_more]) == ["a x.py"]


def test_a_project_has_at_most_five_topics() -> None:
    topics = [Habit(HabitKind.TOPIC, letter * 4) for letter in "abcdef"]
    sample = [
        each._replace(
            wordings={topic: topic.key for at, topic in enumerate(topics, 2) if at != day}
        )
        for day, each in enumerate(sessions("a", "xxxxxxxx"), 1)
    ]
    assert len(found(sample)) == 5


def test_the_numbers_of_known_patterns_are_given_whatever_they_are() -> None:
    (pattern,) = find_patterns(sessions("a", "xxxxx")).patterns
    known = find_patterns(sessions("a", "xxxxx......"), known_ids=frozenset({pattern.id}))
    assert known.patterns == []
    assert (len(known.known[pattern.id].hits), known.known[pattern.id].sessions_since) == (5, 6)


def test_a_user_without_habits_has_no_patterns_in_a_month() -> None:
    counts = count_false(0.1, 30)
    assert sum(counts) / len(counts) <= 0.2
    assert counts[-1] <= 1


def test_what_occurs_in_half_of_the_sessions_like_everything_else_is_hardly_ever_a_pattern() -> (
    None
):
    assert sum(count_false(0.5, 12)) <= 12


def test_habits_are_found_within_two_weeks() -> None:
    assert measure_power(0.9, 15) == 1.0
    assert measure_power(0.8, 15) >= 0.8
