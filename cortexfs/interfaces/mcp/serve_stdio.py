"""Serve one client over stdin and stdout, until it closes them or dies."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import TYPE_CHECKING

from cortexfs.interfaces.mcp.sdk_import import preload_sdk_server
from cortexfs.interfaces.mcp.server_identity import make_instructions
from cortexfs.interfaces.mcp.stdio_wire import GRACE_S, StdioWire

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.interfaces.mcp.tool import Tool, ToolContext

EXIT_S = 1.5
"""Seconds in which the process ends after a signal, or when its parent has died."""
CLOSED_EXIT_S = GRACE_S + EXIT_S
"""Seconds in which it ends if the input is closed and the parent lives."""
PARENT_CHECK_S = 0.5
"""Seconds between two checks whether the parent lives."""


def serve_stdio(context: ToolContext, tools: Sequence[Tool]) -> None:
    """Serve the client of this process; returns when it has gone.

    A simple first request is answered by the thread that reads, while this one imports the SDK.
    """
    parent = os.getppid()  # before the first answer: the client may die right after it
    wire = StdioWire.claim_standard_streams()
    wire.on_end = lambda: _end_process_later(parent)
    wire.instructions = make_instructions({tool.name for tool in tools})
    wire.start_reading()
    threading.Thread(target=_watch_parent, args=(wire, parent), daemon=True).start()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: _end_soon(wire))
    preload_sdk_server()
    import anyio

    from cortexfs.interfaces.mcp.serve_wire import serve_wire

    anyio.run(serve_wire, wire, context, tools)


def _watch_parent(wire: StdioWire, parent: int) -> None:
    """End the input when the parent has died: another process may hold the stream open."""
    while os.getppid() == parent:
        time.sleep(PARENT_CHECK_S)
    wire.end_input()


def _end_soon(wire: StdioWire) -> None:
    _end_process_later(parent=0)
    wire.end_input_soon()


def _end_process_later(parent: int) -> None:
    """End the process, later while its parent lives, whatever it waits for.

    What a call has written by then, the next command completes.
    """
    threading.Thread(target=_end_process, args=(parent,), daemon=True).start()


def _end_process(parent: int) -> None:
    began = time.monotonic()
    time.sleep(EXIT_S)
    while os.getppid() == parent and time.monotonic() - began < CLOSED_EXIT_S:
        time.sleep(PARENT_CHECK_S / 2)
    os._exit(0)
