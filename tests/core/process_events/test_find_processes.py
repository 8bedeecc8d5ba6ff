"""From events to what runs, waits, is silent, has ended or is lost."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.process_events.find_processes import MAX_TASKS, find_processes
from cortexfs.core.process_events.process_event import EventType, ProcessEvent
from cortexfs.core.settings.supervision_settings import SupervisionSettings

if TYPE_CHECKING:
    from cortexfs.core.process_events.agent_process import AgentProcess

START = datetime(2026, 5, 6, 10, tzinfo=UTC)
SETTINGS = SupervisionSettings()


def event(
    minute: float, kind: str, agent: str = "", text: str = "", session: str = "s", **more: str
) -> ProcessEvent:
    moment = (START + timedelta(minutes=minute)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    client = more.get("client", "claude-code")
    return ProcessEvent(moment, EventType(kind), client, session, agent, "p", text, str(minute))


def find(minute: float, *events: ProcessEvent) -> list[AgentProcess]:
    return find_processes(events, START + timedelta(minutes=minute), SETTINGS)


def states(minute: float, *events: ProcessEvent) -> dict[str, str]:
    return {process.id: process.state.value for process in find(minute, *events)}


SESSION = event(0, "session-started", text="startup")
PROMPT = event(1, "prompt", text="do it")
TASK = event(2, "task-started", "t", "server")
AGENT = event(2, "agent-started", "a", "Explore")


def test_a_session_runs_from_a_prompt_to_the_end_of_its_turn() -> None:
    assert states(1, SESSION) == {"s": "waiting"}
    (session,) = find(2, SESSION, PROMPT)
    assert (session.state, session.text, session.project) == ("running", "do it", "p")
    assert (session.started, session.last_seen) == (SESSION.time, PROMPT.time)
    assert states(3, SESSION, PROMPT, event(2, "turn-ended")) == {"s": "waiting"}
    assert states(4, SESSION, PROMPT, event(2, "turn-ended"), event(3, "prompt")) == {
        "s": "running"
    }
    assert states(4, SESSION, event(3, "session-ended")) == {"s": "ended"}


def test_a_session_is_resumed_and_compacted() -> None:
    ended = (SESSION, PROMPT, event(2, "session-ended"))
    late = event(3, "agent-ended", "a")
    assert states(4, *ended, late) == {"s": "ended"}
    (resumed,) = find(6, *ended, event(5, "session-started", text="resume"))
    assert (resumed.state, resumed.started[11:16]) == ("waiting", "10:05")
    compacted = event(2, "session-started", text="compact")
    assert states(3, SESSION, PROMPT, compacted) == {"s": "running"}


def test_a_session_without_an_end_is_silent_and_then_lost() -> None:
    assert states(12, SESSION, PROMPT) == {"s": "silent"}
    assert states(60 * 24 + 2, SESSION, PROMPT) == {"s": "lost"}
    assert states(60 * 20, SESSION, PROMPT, event(2, "turn-ended")) == {"s": "waiting"}
    assert states(-60, SESSION, PROMPT) == {"s": "running"}, "the clock was set back"


def test_sub_agents_and_tasks_stand_below_their_session() -> None:
    other = event(3, "session-started", session="z")
    assert [each.id for each in find(4, SESSION, TASK, AGENT, other)] == ["s", "a", "t", "z"]
    ended = event(3, "agent-ended", "a"), event(3, "task-ended", "t")
    assert states(4, SESSION, AGENT, TASK, *ended) == {"s": "waiting", "a": "ended", "t": "ended"}
    gone = event(3, "session-ended")
    assert set(states(4, SESSION, AGENT, TASK, gone).values()) == {"ended"}


def test_work_of_a_sub_agent_is_its_sign_of_life() -> None:
    edit = event(11, "file-edited", "a", "x.py")
    assert states(13, SESSION, PROMPT, AGENT) == {"s": "silent", "a": "silent"}
    assert states(13, SESSION, PROMPT, AGENT, edit) == {"s": "running", "a": "running"}


def test_a_task_is_what_its_status_says() -> None:
    waits = event(3, "task-status", "t", "waiting for input")
    assert states(60, SESSION, TASK, waits)["t"] == "waiting"
    task = find(4, SESSION, event(3, "task-status", "t", "running: server"))[1]
    assert (task.state, task.text, task.type) == ("running", "server", "task")


def test_tasks_that_a_client_no_longer_lists_have_ended() -> None:
    listed = event(5, "task-status", "u", "running: watch")
    own = event(2, "task-started", "mine", client="make")
    end = event(5, "turn-ended", text="background tasks: 1")
    assert states(6, SESSION, TASK, own, listed, end) == {
        "s": "waiting", "mine": "running", "t": "ended", "u": "running",
    }  # fmt: skip
    assert states(6, SESSION, TASK, event(5, "turn-ended"))["t"] == "running", "it lists none"


def test_a_sub_agent_with_a_session_of_its_own_is_none() -> None:
    start = event(0, "session-started", client="opencode")
    child = event(1, "agent-started", "c", "Find it", client="opencode")
    edit = event(2, "file-edited", text="x", session="c", client="opencode")
    assert states(3, start, child, edit) == {"s": "waiting", "c": "running"}
    idle = event(3, "turn-ended", session="c", client="opencode")
    assert states(4, start, child, edit, idle) == {"s": "waiting", "c": "ended"}


def test_a_flag_is_no_sign_of_life() -> None:
    task = find(20, SESSION, TASK, event(15, "flagged", "t", "silent"))[1]
    assert (task.state, task.last_seen, task.flagged[11:16]) == ("silent", TASK.time, "10:15")


EVENTS = st.lists(
    st.builds(
        event,
        st.integers(0, 2000),
        st.sampled_from([kind.value for kind in EventType]),
        st.sampled_from(["", "a", "b", "s"]),
        st.sampled_from(["", "waiting", "running: x", "background tasks: 1", "compact"]),
        st.sampled_from(["", "s", "z", "a"]),
        client=st.sampled_from(["opencode", "codex"]),
    ),
    max_size=25,
).map(sorted)


@given(EVENTS, st.integers(-10, 5000))
def test_each_process_is_found_once_and_never_before_its_start(
    events: list[ProcessEvent], minute: int
) -> None:
    found = find(minute, *events)
    assert len({(each.session, each.agent) for each in found}) == len(found)
    assert all(each.id and each.started <= each.last_seen for each in found)


def test_of_many_tasks_only_the_latest_are_compared_with_a_list() -> None:
    tasks = [event(0, "task-started", f"t{number}") for number in range(MAX_TASKS + 10)]
    end = event(1, "turn-ended", text="background tasks: 0")
    ended = [each.id for each in find(2, SESSION, *tasks, end) if each.state == "ended"]
    assert (len(ended), "t9" in ended, "t10" in ended) == (MAX_TASKS, False, True)


def test_a_turn_looks_only_at_the_tasks_that_may_run() -> None:
    tasks = [event(0, "task-started", f"t{number}") for number in range(MAX_TASKS)]
    ends = [event(1, "turn-ended", text="background tasks: 0")] * 20_000
    start = time.process_time()
    assert len(find(2, *tasks, *ends)) == MAX_TASKS + 1
    assert time.process_time() - start < 1
