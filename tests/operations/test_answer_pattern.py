"""What is said in several projects is proposed; the answer is kept in the tree."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.process_events.process_event import EventType, ProcessEvent, format_event_line
from cortexfs.errors import OverCap, Refused
from cortexfs.operations.answer_pattern import accept_proposal, reject_pattern
from cortexfs.operations.detect_patterns import detect_patterns
from cortexfs.operations.undo import undo
from cortexfs.operations.user import learn_preference
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import Place

NOW = datetime(2026, 11, 6, 20, tzinfo=UTC)


@pytest.fixture
def session(tree: Place) -> Iterator[Session]:
    opened = Session.open(str(tree.root), lambda: NOW)
    yield opened
    opened.close()


def say(tree: Place, text: str, *projects: str) -> None:
    """Log a session for each project in which somebody says something."""
    folder = tree.root / ".cortexfs/events"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "2026-11-05.jsonl").open("a") as log:
        for at, project in enumerate(projects):
            time = (NOW - timedelta(days=1, minutes=at)).isoformat().replace("+00:00", "Z")
            ident = f"{project}-{at}-{len(text)}"
            log.write(
                format_event_line(
                    ProcessEvent(time, EventType.PROMPT, "codex", ident, "", project, text, ident)
                )
            )


def proposed(session: Session) -> list[str]:
    return [each.wording for each in detect_patterns(session).proposals]


@pytest.mark.parametrize(
    ("projects", "count"),
    [
        (("flywheel", "orchard", "flywheel"), 1),
        (("flywheel", "orchard"), 0),
        (("flywheel", "flywheel", "flywheel"), 0),
    ],
)
def test_three_sessions_in_two_projects_make_a_proposal(
    tree: Place, session: Session, projects: tuple[str, ...], count: int
) -> None:
    say(tree, "Always use uv", *projects)
    assert proposed(session) == ["Always use uv"] * count


@pytest.mark.parametrize("text", ["run the tests", "Did it always use uv?", "No", "ok"])
def test_a_request_and_a_question_are_no_preference(
    tree: Place, session: Session, text: str
) -> None:
    say(tree, text, "flywheel", "orchard", "flywheel")
    assert proposed(session) == []


def test_an_accepted_proposal_is_in_the_preferences_in_one_commit(
    tree: Place, session: Session
) -> None:
    say(tree, "Always use uv", "flywheel", "orchard", "flywheel")
    before = tree.git("rev-parse", "HEAD^{tree}")
    (proposal,) = detect_patterns(session).proposals
    accept_proposal(session, proposal.id)
    assert "- use uv: Always use uv\n" in tree.read("user/USER.md")
    assert f"- {proposal.id} accepted 2026-11-06: Always use uv\n" in tree.read("user/patterns.md")
    assert proposed(session) == []
    assert tree.ok("check") == "0 errors, 0 warnings\n"
    assert tree.git("status", "--porcelain") == ""
    undo(session)
    assert tree.git("rev-parse", "HEAD^{tree}") == before
    assert proposed(session) == ["Always use uv"]


def test_a_rejected_proposal_does_not_come_back_until_its_line_is_removed(
    tree: Place, session: Session
) -> None:
    say(tree, "Always use uv", "flywheel", "orchard", "flywheel")
    say(tree, "Never use tabs", "flywheel", "orchard", "flywheel")
    first, second = detect_patterns(session).proposals
    reject_pattern(session, first.id)
    assert proposed(session) == [second.wording]
    reject_pattern(session, second.id)
    assert proposed(session) == []
    assert tree.read("user/patterns.md").count("\n- ") == 2
    tree.write("user/patterns.md", "# Patterns\n")
    assert len(proposed(session)) == 2


def test_what_the_preferences_already_say_is_not_proposed(tree: Place, session: Session) -> None:
    say(tree, "Always use uv", "flywheel", "orchard", "flywheel")
    learn_preference(session, "Packages", "use uv", "Working style")
    assert proposed(session) == []


def test_an_accepted_proposal_with_other_words_is_not_proposed_again(
    tree: Place, session: Session
) -> None:
    say(tree, "Always use uv", "flywheel", "orchard", "flywheel")
    learn_preference(session, "use uv", "for all but the docs", "Working style")
    assert proposed(session) == []


def test_an_unknown_id_is_refused(session: Session) -> None:
    with pytest.raises(Refused, match="no proposal 00000000"):
        accept_proposal(session, "00000000")
    with pytest.raises(Refused, match="no pattern or proposal"):
        reject_pattern(session, "00000000")


def test_preferences_without_room_are_not_exceeded(tree: Place, session: Session) -> None:
    say(tree, "Always use uv", "flywheel", "orchard", "flywheel")
    tree.write("user/USER.md", f"# User\n\n- a: {'x' * 3050}\n")
    (proposal,) = detect_patterns(session).proposals
    with pytest.raises(OverCap):
        accept_proposal(session, proposal.id)
    assert not (tree.root / "user/patterns.md").exists()


def test_a_rejected_pattern_is_not_noted(tree: Place, session: Session) -> None:
    for day in range(5):
        log = tree.root / f".cortexfs/events/2026-11-0{1 + day}.jsonl"
        log.parent.mkdir(parents=True, exist_ok=True)
        time = f"2026-11-0{1 + day}T10:00:00.000Z"
        event = ProcessEvent(time, EventType.FILE_EDITED, "codex", time, "", "flywheel", "a.py")
        log.write_text(format_event_line(event))
    (note,) = detect_patterns(session, ExecutionMode.DRY_RUN).observations
    reject_pattern(session, note.id)
    assert detect_patterns(session).observations == ()
