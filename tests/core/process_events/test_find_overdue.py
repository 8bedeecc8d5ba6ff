"""Which processes are flagged, and in which order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from cortexfs.core.process_events.agent_process import AgentProcess, ProcessState, ProcessType
from cortexfs.core.process_events.find_overdue import find_overdue
from cortexfs.core.process_events.stop_command import format_stop_command
from cortexfs.core.settings.supervision_settings import SupervisionSettings

NOW = datetime(2026, 5, 6, 12, tzinfo=UTC)
SETTINGS = SupervisionSettings()


def process(kind: str, agent: str, age_s: int, silence_s: int | None = None) -> AgentProcess:
    started, seen = (
        (NOW - timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        for seconds in (age_s, age_s if silence_s is None else silence_s)
    )
    return AgentProcess(ProcessType(kind), "s", agent, "c", "p", started, seen)


def flag(*found: AgentProcess, settings: SupervisionSettings = SETTINGS) -> list[str]:
    return [each.process.id for each in find_overdue(found, NOW, settings)]


def test_the_oldest_come_first_and_equal_ones_by_id() -> None:
    found = (
        process("task", "w-b", 9000, 700),
        process("task", "w-a", 9000, 700),
        process("sub-agent", "b-2", 2000),
        process("sub-agent", "b-1", 2500, 0),
    )
    assert flag(*found) == flag(*reversed(found)) == ["b-1", "b-2", "w-a", "w-b"]


def test_a_pass_flags_at_most_eight() -> None:
    found = [process("task", f"t{number:02}", 5000 - number) for number in range(20)]
    assert flag(*reversed(found)) == [f"t{number:02}" for number in range(8)]
    assert len(flag(*found, settings=SETTINGS._replace(flags_per_pass=3))) == 3


@pytest.mark.parametrize(("silence", "expected"), [(600, []), (601, ["t"])])
def test_a_task_is_flagged_above_ten_minutes_of_silence(silence: int, expected: list[str]) -> None:
    assert flag(process("task", "t", 9000, silence)) == expected


@pytest.mark.parametrize(("age", "expected"), [(1800, []), (1801, ["a"])])
def test_a_sub_agent_is_flagged_above_its_lifetime(age: int, expected: list[str]) -> None:
    assert flag(process("sub-agent", "a", age, 0)) == expected


def test_what_waits_is_over_or_is_a_session_is_not_flagged() -> None:
    task = process("task", "t", 9000)
    states = (ProcessState.WAITING, ProcessState.ENDED, ProcessState.LOST)
    assert flag(*(task._replace(state=state) for state in states)) == []
    assert flag(process("session", "", 9000)) == []
    assert flag(task._replace(state=ProcessState.SILENT)) == ["t"]


def test_each_is_flagged_once_until_it_shows_a_sign_of_life() -> None:
    task = process("task", "t", 9000, 700)
    assert flag(task._replace(flagged="2026-05-06T11:59:00.000Z")) == []
    assert flag(task._replace(flagged="2026-05-06T11:00:00.000Z")) == ["t"], "seen since then"
    agent = process("sub-agent", "a", 3600, 60)
    assert flag(agent._replace(flagged="2026-05-06T11:30:00.000Z")) == []


def test_a_limit_of_zero_disables_a_rule() -> None:
    found = process("task", "t", 9000), process("sub-agent", "a", 9000)
    assert flag(*found, settings=SETTINGS._replace(silent_after_s=0)) == ["a"]
    assert flag(*found, settings=SETTINGS._replace(agent_lifetime_s=0)) == ["t"]


def test_the_reason_has_its_time() -> None:
    (silent,) = find_overdue([process("task", "t", 9000, 725)], NOW, SETTINGS)
    assert silent.reason == "no sign of life for 12 min"


TASK = process("task", "t-1", 9000)


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        (["/bin/stop", "{session}", "--agent={agent}"], ["/bin/stop", "s", "--agent=t-1"]),
        (["/bin/stop", "{agent}{agent}", "{x}", "$HOME; rm"],
         ["/bin/stop", "t-1t-1", "{x}", "$HOME; rm"]),
        (["/bin/stop"], ["/bin/stop"]),
    ],
)  # fmt: skip
def test_a_stop_command_gets_the_ids(template: list[str], expected: list[str]) -> None:
    assert format_stop_command(template, TASK) == expected


@pytest.mark.parametrize("template", [[], [""], ["stop"], ["/bin/{agent}"], ["/x"] * 33])
def test_a_stop_command_needs_the_absolute_path_of_a_program(template: list[str]) -> None:
    assert isinstance(format_stop_command(template, TASK), str)


@pytest.mark.parametrize(
    "agent",
    ["", "-rf", "a b", "../x", "a;b", "$(id)", "a\nb", "\0", "a/b", "x" * 129, "é", "{session}"],
)
def test_an_id_that_could_mean_something_else_is_given_to_no_command(agent: str) -> None:
    hostile = TASK._replace(agent=agent)
    assert isinstance(format_stop_command(["/bin/stop", "{agent}"], hostile), str)
    assert format_stop_command(["/bin/stop", "{session}"], hostile) == ["/bin/stop", "s"]
