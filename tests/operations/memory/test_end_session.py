"""A session ends with its summary, whose first line is the title of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.operations.memory.end_session import end_session
from cortexfs.operations.memory.start_session import start_session

if TYPE_CHECKING:
    from place import Place

    from cortexfs.session.session import Session

PATH = "projects/flywheel/sessions/SES-001.md"


def test_the_first_line_of_the_summary_is_the_title(tree: Place, session: Session) -> None:
    start_session(session, "s-1", "flywheel")
    assert 'summary: "Session s-1"\n' in tree.read(PATH)
    ended = end_session(session, "s-1", "\nThe drift is explained.\n\nIt was the cold.\n")
    assert (ended.status, ended.summary) == (
        "ended",
        "The drift is explained.\n\nIt was the cold.",
    )
    assert 'summary: "The drift is explained."\n' in tree.read(PATH)


def test_a_session_without_a_summary_keeps_its_title(tree: Place, session: Session) -> None:
    start_session(session, "s-1", "flywheel")
    end_session(session, "s-1")
    assert 'summary: "Session s-1"\n' in tree.read(PATH)
