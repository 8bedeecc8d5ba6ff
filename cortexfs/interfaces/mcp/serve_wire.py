"""Run the server of the SDK on a wire: messages in, answers out, and errors for bad lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from mcp.shared.message import SessionMessage
from mcp_types import (
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)

from cortexfs.interfaces.drain_reads import drain_reads, drain_reads_regularly
from cortexfs.interfaces.mcp.sdk_server import make_sdk_server
from cortexfs.interfaces.mcp.stdio_lines import describe_bad_line
from cortexfs.interfaces.mcp.stdio_wire import GRACE_S

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp_types import JSONRPCMessage, RequestId

    from cortexfs.interfaces.mcp.stdio_wire import StdioWire
    from cortexfs.interfaces.mcp.tool import Tool, ToolContext

MAX_OPEN_REQUESTS = 64
"""Maximum number of requests without an answer; then the client has to wait."""


class _OpenRequests:
    """The requests without an answer."""

    def __init__(self) -> None:
        self._ids: set[RequestId | None] = set()
        self._changed = anyio.Condition()

    async def note(self, message: JSONRPCMessage) -> None:
        """Note a request, its answer, or that the client cancelled it: then it gets no answer."""
        async with self._changed:
            match message:
                case JSONRPCRequest(id=ident):
                    self._ids.add(ident)
                case JSONRPCResponse(id=ident) | JSONRPCError(id=ident):
                    self._ids.discard(ident)
                case JSONRPCNotification(
                    method="notifications/cancelled", params={"requestId": ident}
                ):
                    self._ids.discard(ident)
            self._changed.notify_all()

    async def wait_until_at_most(self, limit: int) -> None:
        """Wait until no more requests than this have no answer."""
        async with self._changed:
            while len(self._ids) > limit:
                await self._changed.wait()


async def serve_wire(wire: StdioWire, context: ToolContext, tools: Sequence[Tool]) -> None:
    """Serve until the input ends."""
    server, requests = make_sdk_server(context, tools), _OpenRequests()
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as group:
        group.start_soon(_receive, wire, requests, to_server)
        group.start_soon(_send, wire, requests, from_server)
        group.start_soon(drain_reads_regularly, context.session)
        await server.run(from_client, to_client, server.create_initialization_options())
        group.cancel_scope.cancel()
    drain_reads(context.session)
    context.session.close()


async def _receive(
    wire: StdioWire,
    requests: _OpenRequests,
    to_server: MemoryObjectSendStream[SessionMessage | Exception],
) -> None:
    """Pass on each message of the client, until its stream ends and the answers are given."""
    async with to_server:
        while line := await anyio.to_thread.run_sync(wire.lines.get, abandon_on_cancel=True):
            message = _parse(line) if isinstance(line, bytes) else None
            if message is None:
                await _write(wire, describe_bad_line(line))
                continue
            await requests.note(message)
            await requests.wait_until_at_most(MAX_OPEN_REQUESTS)
            await to_server.send(SessionMessage(message))
        with anyio.move_on_after(GRACE_S):
            await requests.wait_until_at_most(0)


async def _send(
    wire: StdioWire, requests: _OpenRequests, from_server: MemoryObjectReceiveStream[SessionMessage]
) -> None:
    """Write each message of the server, except the one that was answered early."""
    async with from_server:
        async for each in from_server:
            message = each.message
            ident = message.id if isinstance(message, JSONRPCResponse | JSONRPCError) else None
            if ident is not None and ident == wire.answered_early:
                wire.answered_early = None
            else:
                content = message.model_dump(by_alias=True, exclude_unset=True, mode="json")
                await _write(wire, content)
            await requests.note(message)


async def _write(wire: StdioWire, message: dict[str, object]) -> None:
    """Write a message; a client that has gone ends the input too."""
    try:
        await anyio.to_thread.run_sync(wire.write, message)
    except OSError:
        wire.end_input_soon()


def _parse(line: bytes) -> JSONRPCMessage | None:
    """Return the message of a line; None if it is none.

    The SDK takes a request with an invalid id for a notification, which gets no answer.
    """
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return None
    is_request = isinstance(message, JSONRPCNotification) and b'"id"' in line
    return None if is_request and "id" in json.loads(line) else message
