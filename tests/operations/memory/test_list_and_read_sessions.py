"""Sessions are listed, those that run first, and shown with what they saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.errors import NoSuchSession
from cortexfs.operations.memory.archive_memory import archive_memory
from cortexfs.operations.memory.end_session import end_session
from cortexfs.operations.memory.list_sessions import list_sessions
from cortexfs.operations.memory.read_session import read_session
from cortexfs.operations.memory.save_memory import save_memory
from cortexfs.operations.memory.save_prompt import save_prompt
from cortexfs.operations.memory.start_session import start_session
from cortexfs.operations.shared.memory_types import MemoryDraft

if TYPE_CHECKING:
    from conftest import Clock

    from cortexfs.session.session import Session


@pytest.fixture
def filled(session: Session, clock: Clock) -> Session:
    for name in ("one", "two", "three"):
        start_session(session, name, "flywheel", "/src")
        clock.wait(hours=1)
    for number in (1, 2):
        draft = MemoryDraft(f"Fact {number}", f"fact {number}", project="flywheel")
        save_memory(session, draft._replace(session_id="one"))
        clock.wait(minutes=1)
    save_prompt(session, "Why is it slow?", "one", "flywheel")
    end_session(session, "two", "All done.")
    end_session(session, "three")
    return session


def test_active_sessions_come_first_then_the_newest(filled: Session) -> None:
    found = list_sessions(filled)
    assert [(each.id, each.status) for each in found.sessions] == [
        ("one", "active"),
        ("three", "ended"),
        ("two", "ended"),
    ]
    assert found.total == 3
    assert found.sessions[0].memory_count == 2


def test_a_limit_does_not_change_the_total(filled: Session) -> None:
    found = list_sessions(filled, limit=1)
    assert ([each.id for each in found.sessions], found.total) == (["one"], 3)


def test_sessions_of_another_project_are_left_out(filled: Session) -> None:
    assert list_sessions(filled, "elsewhere").total == 0
    assert list_sessions(filled, "Flywheel").total == 3


def test_a_session_has_its_memories_and_prompts_oldest_first(filled: Session) -> None:
    found = read_session(filled, "one")
    assert [each.title for each in found.memories] == ["Fact 1", "Fact 2"]
    assert [each.content for each in found.prompts] == ["Why is it slow?"]
    assert read_session(filled, "two").session.summary == "All done."


def test_an_unknown_session_is_refused(filled: Session) -> None:
    with pytest.raises(NoSuchSession):
        read_session(filled, "nine")


def test_archiving_can_be_planned_without_doing_it(filled: Session) -> None:
    planned = archive_memory(filled, "1", mode=ExecutionMode.DRY_RUN)
    assert planned.outcome is None
    assert [write.path for write in planned.plan.writes if not write.is_derived] == [
        planned.record.path
    ]
    assert len(read_session(filled, "one").memories) == 2
    done = archive_memory(filled, "1")
    assert done.outcome
    assert done.outcome.commits
    assert [each.title for each in read_session(filled, "one").memories] == ["Fact 2"]
