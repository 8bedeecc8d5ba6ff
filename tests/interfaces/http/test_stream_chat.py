"""An answer of the chat ends with an event that says how it ended, whatever happens to it."""

from __future__ import annotations

import asyncio
import threading
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from cortexfs.core.chat.chat_event import Failed, Thinking
from cortexfs.errors import CatalogBusy, CortexError, ServerBusy
from cortexfs.interfaces.http import stream_chat
from cortexfs.interfaces.http.stream_chat import MAX_ANSWERS, RunningAnswer, start_answer
from cortexfs.operations.chat.send_message import ChatRequest
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import Place

    from cortexfs.core.chat.chat_event import ChatEvent


def answer_until(error: Exception) -> Iterator[ChatEvent]:
    yield from ()
    raise error


def collect(tree: Place, error: Exception) -> list[ChatEvent | None]:
    session = Session.open(str(tree.root), lambda: datetime.now(UTC))
    answer = RunningAnswer(Thinking("t"))
    answer.make(session, answer_until(error))

    async def read() -> list[ChatEvent | None]:
        return [event async for event in answer.iterate()]

    return asyncio.run(read())


def test_a_refusal_is_the_last_event(tree: Place) -> None:
    refusal: CortexError = CatalogBusy()
    first, failed = collect(tree, refusal)
    assert first == Thinking("t")
    assert isinstance(failed, Failed)
    assert (failed.message, failed.hint) == (str(refusal), refusal.hint)


def test_a_bug_is_the_last_event_and_has_a_report(tree: Place) -> None:
    _, failed = collect(tree, KeyError("token=ghp_" + "a1B2c3D4e5" * 4))
    assert isinstance(failed, Failed)
    assert "a bug in cortexfs: KeyError" in failed.message
    (report,) = (tree.root / ".cortexfs/crash").iterdir()
    assert str(report) in (failed.hint or "")
    assert "a1B2c3D4e5" not in report.read_text()


def test_events_come_to_a_reader_who_waits_for_them(tree: Place) -> None:
    session = Session.open(str(tree.root), lambda: datetime.now(UTC))
    answer, may_go_on = RunningAnswer(Thinking("t")), threading.Event()

    def think() -> Iterator[ChatEvent]:
        may_go_on.wait()
        yield Failed("t", "no")

    thread = threading.Thread(target=answer.make, args=(session, think()))
    thread.start()

    async def read() -> list[ChatEvent | None]:
        found = []
        async for event in answer.iterate():
            found.append(event)
            may_go_on.set()
        return found

    assert asyncio.run(read()) == [Thinking("t"), Failed("t", "no")]
    thread.join()


def test_no_more_answers_are_made_at_once_than_there_may_be(tree: Place) -> None:
    session = Session.open(str(tree.root), lambda: datetime.now(UTC))
    request = ChatRequest("what is stuck?", "/")
    with ExitStack() as taken:
        for _ in range(MAX_ANSWERS):
            taken.enter_context(stream_chat._FREE)
        with pytest.raises(ServerBusy, match="8 answers"):
            start_answer(session, request)
    assert start_answer(session, request).wait(20)
