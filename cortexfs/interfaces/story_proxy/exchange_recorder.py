"""Record what was said in a thread of its own, after the answer: no chat waits for it."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.chat_api.read_answer import read_answer
from cortexfs.interfaces.http.describe_failure import describe_failure, report_bug
from cortexfs.operations.stories.note_recalled import note_recalled
from cortexfs.operations.stories.record_exchange import record_exchange

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.stories.chat_api.chat_request import ChatRequest
    from cortexfs.operations.stories.find_story_of_chat import ChatPlace
    from cortexfs.session.session import Session

MAX_WAITING = 200
"""Maximum number of exchanges that wait; more are left out, and the next request has them again."""
END_S = 30.0
"""Seconds in which the last exchanges are recorded when the server ends."""


class Exchange(NamedTuple):
    """A request, the bytes of its answer, and the refs of what was recalled for it."""

    place: ChatPlace
    request: ChatRequest
    answer: bytes
    media_type: str
    recalled: tuple[str, ...] = ()


class ExchangeRecorder:
    """A queue of exchanges, and the thread that records one after the other."""

    def __init__(self, session: Session, report: Callable[[str], object]) -> None:
        self._session, self._report = session, report
        self.on_recorded: Callable[[str, str], object] = lambda _project, _story: None
        """A function that is called with the project and the story when nothing waits."""
        self._waiting: queue.Queue[Exchange | None] = queue.Queue(MAX_WAITING)
        self._thread = threading.Thread(target=self._run, name="cortexfs-record", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def add(self, exchange: Exchange) -> None:
        """Add an exchange without waiting."""
        try:
            self._waiting.put_nowait(exchange)
        except queue.Full:
            self._report("not recorded: too many answers wait for it")

    def close(self) -> None:
        """Record what waits, and end the thread."""
        try:
            self._waiting.put(None, timeout=END_S)
        except queue.Full:
            return
        self._thread.join(END_S)

    def wait_until_idle(self) -> None:
        """Wait until everything is recorded."""
        self._waiting.join()

    def _run(self) -> None:
        while True:
            exchange = self._waiting.get()
            try:
                if exchange is None:
                    return
                self._record(exchange)
            except Exception as error:  # noqa: BLE001 - the outermost frame of the thread
                failure = describe_failure(error) or report_bug(self._session, error)
                hint = f" ({failure.hint})" if failure.hint else ""
                self._report(f"not recorded: {failure.detail}{hint}")
            finally:
                self._waiting.task_done()

    def _record(self, exchange: Exchange) -> None:
        answers = read_answer(exchange.answer, exchange.media_type)
        done = record_exchange(self._session, exchange.place, exchange.request, answers)
        if exchange.recalled:
            note_recalled(self._session, exchange.recalled)
        if self._waiting.empty():
            self.on_recorded(exchange.place.project, done.story)
