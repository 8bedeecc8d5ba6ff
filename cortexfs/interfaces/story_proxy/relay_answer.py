"""Pass the answer of the server on as it arrives, until it ends or the client has gone."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

from cortexfs.core.stories.chat_api.read_answer import EVENT_STREAM
from cortexfs.interfaces.story_proxy.relayed_headers import find_header, make_answer_headers
from cortexfs.interfaces.story_proxy.upstream_connection import UpstreamFailed

if TYPE_CHECKING:
    from starlette.types import Receive, Send

    from cortexfs.interfaces.story_proxy.upstream_connection import (
        UpstreamConnection,
        UpstreamRequest,
    )
    from cortexfs.interfaces.story_proxy.upstream_pool import UpstreamPool

MAX_KEPT_BYTES = 32 << 20
"""Maximum bytes of an answer that are recorded."""
_REDIRECTS = {301, 302, 303, 307, 308}


@dataclass(slots=True)
class RelayedAnswer:
    """What was passed on so far: 0 is the status of no answer."""

    status: int = 0
    media_type: str = ""
    is_readable: bool = True
    size: int = 0
    parts: list[bytes] = field(default_factory=list)

    @property
    def is_success(self) -> bool:
        """Whether the server has answered, and the answer can be read."""
        return 200 <= self.status < 300 and self.is_readable  # noqa: PLR2004 - as HTTP has them

    def keep(self, part: bytes) -> None:
        """Keep a part for the record, up to a limit."""
        self.size += len(part)
        if self.size <= MAX_KEPT_BYTES:
            self.parts.append(part)
        else:
            self.is_readable = False


async def relay_answer(
    pool: UpstreamPool,
    connection: UpstreamConnection,
    request: UpstreamRequest,
    client: tuple[Receive, Send],
    answer: RelayedAnswer,
    origin: str = "",
) -> None:
    """Send a request and pass on its answer, which `answer` keeps; a client that goes ends both.

    Raises `UpstreamFailed` only if nothing was passed on.
    """
    receive, send = client
    held = [connection]
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_cancel_when_gone, receive, group.cancel_scope)
            held[0], found = await pool.send(connection, request)
            _refuse_redirect(found.status)
            answer.media_type = find_header(found.headers, b"content-type")
            answer.is_readable = find_header(found.headers, b"content-encoding") in {"", "identity"}
            headers = make_answer_headers(found.headers, origin)
            start = {"type": "http.response.start", "status": found.status, "headers": headers}
            await send(start)
            answer.status = found.status
            await _pass_on(held[0], send, answer)
            group.cancel_scope.cancel()
    except* UpstreamFailed as group_of_one:
        if not answer.status:
            raise group_of_one.exceptions[0] from None
        await _end_cut_answer(send, answer)
    finally:
        pool.release(held[0])


def _refuse_redirect(status: int) -> None:
    if status in _REDIRECTS:
        raise UpstreamFailed("the model's server redirects elsewhere, which is not followed")


async def _pass_on(connection: UpstreamConnection, send: Send, answer: RelayedAnswer) -> None:
    async for part in connection.iterate_body():
        answer.keep(part)
        await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _cancel_when_gone(receive: Receive, scope: anyio.CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


async def _end_cut_answer(send: Send, answer: RelayedAnswer) -> None:
    """Tell the client that its answer is not complete; an answer of a known length is cut off."""
    if not answer.media_type.startswith(EVENT_STREAM):
        return
    error = {"message": "the model's server broke off", "type": "cortexfs_error", "param": None}
    event = f"\n\ndata: {json.dumps({'error': {**error, 'code': 'upstream-failed'}})}\n\n"
    await send({"type": "http.response.body", "body": event.encode(), "more_body": False})
