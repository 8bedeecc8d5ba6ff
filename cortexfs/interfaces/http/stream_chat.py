"""The answer of the chat as server-sent events; it is completed even if nobody reads it."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

import anyio
from starlette.responses import Response, StreamingResponse

from cortexfs.core.chat.chat_event import Failed
from cortexfs.errors import ServerBusy
from cortexfs.interfaces.http.describe_failure import describe_failure, report_bug
from cortexfs.interfaces.json.chat import to_event_json
from cortexfs.operations.chat.send_message import send_message

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from cortexfs.core.chat.chat_event import ChatEvent
    from cortexfs.operations.chat.send_message import ChatRequest
    from cortexfs.session.session import Session

MEDIA_TYPE = "text/event-stream"
QUIET_S = 15.0
"""Seconds without an event after which a comment shows that the server still works."""
MAX_ANSWERS = 8
"""Maximum number of answers that are made at the same time; each has a thread."""
_FREE = threading.BoundedSemaphore(MAX_ANSWERS)


class RunningAnswer:
    """The events of an answer that a thread makes; one reader may take them as they come."""

    def __init__(self, first: ChatEvent) -> None:
        self.last = first
        self._waiting: deque[ChatEvent] = deque((first,))
        self._finished = threading.Event()
        self._wake: Callable[[], object] = lambda: None

    def make(self, session: Session, events: Iterator[ChatEvent]) -> None:
        """Make the rest of the answer; a refusal or a bug is its last event."""
        try:
            for event in events:
                self._put(event)
        except Exception as error:  # noqa: BLE001 - the outermost frame of the thread
            failure = describe_failure(error) or report_bug(session, error)
            self._put(Failed("", failure.detail, failure.hint))
        finally:
            self._finished.set()
            self._wake()

    def wait(self, seconds: float) -> bool:
        """Return whether the answer is complete, at the latest after some seconds."""
        return self._finished.wait(seconds)

    async def iterate(self) -> AsyncIterator[ChatEvent | None]:
        """Yield the events; None after each time without any."""
        changed, loop = asyncio.Event(), asyncio.get_running_loop()

        def wake() -> None:
            with suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(changed.set)

        self._wake = wake
        is_complete = False
        while not is_complete:
            changed.clear()
            is_complete = self._finished.is_set()
            while self._waiting:
                yield self._waiting.popleft()
            if not is_complete:
                with anyio.move_on_after(QUIET_S) as waiting:
                    await changed.wait()
                if waiting.cancelled_caught:
                    yield None

    def _put(self, event: ChatEvent) -> None:
        self.last = event
        self._waiting.append(event)
        self._wake()


def start_answer(session: Session, request: ChatRequest) -> RunningAnswer:
    """Begin an answer, which is completed whatever its reader does.

    Raises as `send_message`, and `ServerBusy` if too many are being made.
    """
    if not _FREE.acquire(blocking=False):
        raise ServerBusy(f"{MAX_ANSWERS} answers are being made already")
    try:
        events = send_message(session, request, os.environ)
        answer = RunningAnswer(next(events))
    except BaseException:
        _FREE.release()
        raise

    def make() -> None:
        try:
            answer.make(session, events)
        finally:
            _FREE.release()

    try:
        threading.Thread(target=make, daemon=True).start()
    except RuntimeError:  # the system gives no more threads
        _FREE.release()
        raise
    return answer


def stream_answer(session: Session, request: ChatRequest) -> Response:
    """Return the events of an answer; raises as `start_answer`, before anything is sent."""
    answer = start_answer(session, request)
    headers = {"x-accel-buffering": "no"}
    return StreamingResponse(_send(answer), headers=headers, media_type=MEDIA_TYPE)


async def _send(answer: RunningAnswer) -> AsyncIterator[bytes]:
    async for event in answer.iterate():
        yield _format_event(event) if event else b":\n\n"


def _format_event(event: ChatEvent) -> bytes:
    document = to_event_json(event)
    return f"event: {document['type']}\ndata: {json.dumps(document)}\n\n".encode()
