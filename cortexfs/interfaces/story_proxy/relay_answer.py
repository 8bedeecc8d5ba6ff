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
    from collections.abc import Sequence

    from starlette.types import Receive, Send

    from cortexfs.interfaces.story_proxy.upstream_connection import (
        Header,
        UpstreamConnection,
        UpstreamRequest,
    )
    from cortexfs.interfaces.story_proxy.upstream_pool import UpstreamPool

MAX_KEPT_BYTES = 32 << 20
"""Maximum bytes of an answer that are recorded."""
_REDIRECTS, _LAST_STATUS = {301, 302, 303, 307, 308}, 599
_ERROR = {
    "message": "the model's server broke off",
    "type": "cortexfs_error",
    "param": None,
    "code": "upstream-failed",
}
_CUT_OFF = f"\n\ndata: {json.dumps({'error': _ERROR})}\n\n".encode()
"""The event that tells a client that its answer is not complete."""


@dataclass(slots=True)
class RelayedAnswer:
    """What was passed on so far: 0 is the status of no answer.

    `is_readable` is given as whether the answer is wanted. `has_open_end` tells that more can be
    added to it: it is a stream of events, and no length was announced.
    """

    is_readable: bool
    status: int = 0
    media_type: str = ""
    has_open_end: bool = False
    size: int = 0
    parts: list[bytes] = field(default_factory=list)

    @property
    def is_success(self) -> bool:
        """Whether the server has answered, and the answer can be read."""
        return 200 <= self.status < 300 and self.is_readable  # noqa: PLR2004 - as HTTP has them

    def keep(self, part: bytes) -> None:
        """Keep a part for the record, up to a limit."""
        if not self.is_readable:
            return
        self.size += len(part)
        self.parts.append(part)
        if self.size > MAX_KEPT_BYTES:
            self.is_readable = False
            self.parts.clear()

    def read_headers(self, headers: Sequence[Header]) -> None:
        """Note what the headers of the answer say of its body."""
        self.media_type = find_header(headers, b"content-type")
        is_plain = find_header(headers, b"content-encoding").lower() in {"", "identity"}
        is_stream = self.media_type.lower().startswith(EVENT_STREAM)
        self.is_readable = self.is_readable and is_plain
        self.has_open_end = is_stream and is_plain and not find_header(headers, b"content-length")


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
            _check_status(found.status)
            headers = make_answer_headers(found.headers, origin)
            answer.read_headers(headers)
            start = {"type": "http.response.start", "status": found.status, "headers": headers}
            await send(start)
            answer.status = found.status
            await _pass_on(held[0], send, answer)
            group.cancel_scope.cancel()
    except* UpstreamFailed as group_of_one:
        if not answer.status:
            raise group_of_one.exceptions[0] from None
        if answer.has_open_end:
            await send({"type": "http.response.body", "body": _CUT_OFF, "more_body": False})
    finally:
        pool.release(held[0])


def _check_status(status: int) -> None:
    if status in _REDIRECTS:
        raise UpstreamFailed(
            "the model's server redirects elsewhere, which is not followed",
            "start `story serve` with the address that it redirects to",
        )
    if status > _LAST_STATUS:
        raise UpstreamFailed(f"the model's server answers with {status}, which is no status")


async def _pass_on(connection: UpstreamConnection, send: Send, answer: RelayedAnswer) -> None:
    async for part in connection.iterate_body():
        answer.keep(part)
        await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _cancel_when_gone(receive: Receive, scope: anyio.CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()
