"""The answer of the chat as server-sent events; it is completed even if nobody reads it."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import anyio
from starlette.responses import Response, StreamingResponse

from cortexfs.core.chat.chat_event import Failed
from cortexfs.core.text.sanitize import redact_secrets
from cortexfs.interfaces.json.chat import to_event_json
from cortexfs.operations.chat.send_message import send_message
from cortexfs.session.crash_report import write_crash_report

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from cortexfs.core.chat.chat_event import ChatEvent
    from cortexfs.operations.chat.send_message import ChatRequest
    from cortexfs.session.session import Session

MEDIA_TYPE = "text/event-stream"
QUIET_S = 15.0
"""Seconds without an event after which a comment shows that the server still works."""


def stream_answer(session: Session, request: ChatRequest) -> Response:
    """Return the events of an answer; raises as `send_message`, before anything is sent."""
    events = send_message(session, request, os.environ)
    first = next(events)
    headers = {"x-accel-buffering": "no"}
    return StreamingResponse(_send(session, first, events), headers=headers, media_type=MEDIA_TYPE)


async def _send(
    session: Session, first: ChatEvent, events: Iterator[ChatEvent]
) -> AsyncIterator[bytes]:
    """Yield the events, which a thread of their own makes: a reader who leaves ends nothing."""
    queue: asyncio.Queue[ChatEvent | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def put(event: ChatEvent | None) -> None:
        with suppress(RuntimeError):  # the server has ended
            loop.call_soon_threadsafe(queue.put_nowait, event)

    threading.Thread(target=complete_answer, args=(session, events, put), daemon=True).start()
    yield _format_event(first)
    while True:
        with anyio.move_on_after(QUIET_S) as waiting:
            event = await queue.get()
        if waiting.cancelled_caught:
            yield b":\n\n"
        elif event is None:
            return
        else:
            yield _format_event(event)


def complete_answer(
    session: Session, events: Iterator[ChatEvent], put: Callable[[ChatEvent | None], None]
) -> None:
    """Make the rest of an answer; a bug is its last event."""
    try:
        for event in events:
            put(event)
    except Exception as error:  # noqa: BLE001 - the outermost frame of the thread
        report = redact_secrets("".join(traceback.format_exception(error)))
        path = write_crash_report(session.tree.root, report, datetime.now(UTC))
        what = f"this is a bug in cortexfs: {type(error).__name__}"
        put(Failed("", what, f"the report is {path}"))
    put(None)


def _format_event(event: ChatEvent) -> bytes:
    document = to_event_json(event)
    return f"event: {document['type']}\ndata: {json.dumps(document)}\n\n".encode()
