"""A session has each habit once, whatever happened how often, in the project where it occurred."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.patterns.habit import Habit, HabitKind
from cortexfs.core.patterns.sessions_from_events import MAX_HABITS, group_sessions
from cortexfs.core.process_events.process_event import EventType, ProcessEvent

if TYPE_CHECKING:
    from cortexfs.core.patterns.habit import SessionHabits

PROMPT, FAILED, EDITED = EventType.PROMPT, EventType.TOOL_FAILED, EventType.FILE_EDITED
UV = Habit(HabitKind.INSTRUCTION, "use uv")


def event(
    at: int,
    kind: EventType,
    text: str,
    *,
    session: str = "s-1",
    project: str = "a",
    agent: str = "",
) -> ProcessEvent:
    time = f"2026-11-02T10:00:{at:02}.000Z"
    return ProcessEvent(time, kind, "claude-code", session, agent, project, text)


def group(*events: ProcessEvent) -> list[SessionHabits]:
    return group_sessions(events, {})


def keys(session: SessionHabits, kind: HabitKind) -> list[str]:
    return [habit.key for habit in session.wordings if habit.kind is kind]


def test_a_retry_loop_is_one_failure() -> None:
    (session,) = group(*(event(at, FAILED, f"make test -j{at}") for at in range(20)))
    assert keys(session, HabitKind.FAILURE) == ["make test"]


def test_a_session_in_two_projects_is_one_in_each() -> None:
    found = group(
        event(1, PROMPT, "Always use uv", project=""),
        event(2, EDITED, "src/a.py", project="a"),
        event(3, EDITED, "src/b.py", project=""),
        event(4, EDITED, "src/c.py", project="b"),
    )
    assert [(each.project, keys(each, HabitKind.EDIT)) for each in found] == [
        ("a", ["src/a.py", "src/b.py"]),
        ("b", ["src/c.py"]),
    ]
    assert UV in found[0].wordings


def test_a_session_without_a_project_counts_nowhere_unless_the_memory_knows_it() -> None:
    events = [event(1, EDITED, "src/a.py", project="")]
    assert group(*events) == []
    assert [each.project for each in group_sessions(events, {"s-1": "b"})] == ["b"]


def test_a_session_in_which_nothing_happened_is_no_opportunity() -> None:
    assert group(event(1, EventType.SESSION_STARTED, ""), event(2, EventType.TURN_ENDED, "")) == []


def test_what_an_agent_asks_a_sub_agent_is_no_wish() -> None:
    (session,) = group(
        event(1, PROMPT, "Always use uv", agent="sub-1"), event(2, EDITED, "a.py", agent="sub-1")
    )
    assert list(session.wordings) == [Habit(HabitKind.EDIT, "a.py")]


def test_a_correction_names_what_was_just_edited() -> None:
    (session,) = group(
        event(1, PROMPT, "No, the store.py signature was better"),
        event(2, EDITED, "src/store.py"),
        event(3, PROMPT, "No, the store.py signature was better"),
    )
    assert keys(session, HabitKind.CORRECTION) == ["store py signatur was better"]


def test_what_may_be_a_correction_counts_if_it_repeats_in_another_session() -> None:
    said = "Actually the second parser looks nicer"
    once = [event(1, PROMPT, "Go on"), event(2, PROMPT, said)]
    again = [event(3, PROMPT, "Go on", session="s-2"), event(4, PROMPT, said, session="s-2")]
    assert [keys(each, HabitKind.CORRECTION) for each in group(*once)] == [[]]
    assert [len(keys(each, HabitKind.CORRECTION)) for each in group(*once, *again)] == [1, 1]


def test_a_session_of_any_size_has_a_bounded_number_of_habits() -> None:
    (session,) = group(*(event(1, EDITED, f"{number}.py") for number in range(2 * MAX_HABITS)))
    assert len(session.wordings) == MAX_HABITS


def test_a_prompt_of_a_megabyte_is_cut() -> None:
    (session,) = group(event(1, PROMPT, "flange, always use valves. " * 40_000))
    assert len(session.wordings) < 5
    assert all(len(wording) < 3000 for wording in session.wordings.values())
