"""An answer of the chat ends with an event that says how it ended, whatever happens to it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cortexfs.core.chat.chat_event import Failed, Thinking
from cortexfs.interfaces.http.stream_chat import complete_answer
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import Place

    from cortexfs.core.chat.chat_event import ChatEvent


def answer_until(error: Exception) -> Iterator[ChatEvent]:
    yield Thinking("t")
    raise error


def collect(tree: Place, error: Exception) -> list[ChatEvent | None]:
    session = Session.open(str(tree.root), lambda: datetime.now(UTC))
    found: list[ChatEvent | None] = []
    complete_answer(session, answer_until(error), found.append)
    return found


def test_a_bug_is_the_last_event_and_has_a_report(tree: Place) -> None:
    first, failed, end = collect(tree, KeyError("token=ghp_" + "a1B2c3D4e5" * 4))
    assert (first, end) == (Thinking("t"), None)
    assert isinstance(failed, Failed)
    assert "a bug in cortexfs: KeyError" in failed.message
    (report,) = (tree.root / ".cortexfs/crash").iterdir()
    assert str(report) in (failed.hint or "")
    assert "a1B2c3D4e5" not in report.read_text()
