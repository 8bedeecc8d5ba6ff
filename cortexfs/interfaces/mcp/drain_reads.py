"""Log the reads of a long-lived server, which starts no process for that."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.errors import CortexError

if TYPE_CHECKING:
    from cortexfs.interfaces.mcp.tool import ToolContext

DRAIN_S = 20.0
"""Seconds between two looks for reads that wait to be logged."""


async def drain_reads_regularly(context: ToolContext) -> None:
    """Log waiting reads every 20 seconds, until cancelled."""
    import anyio
    import anyio.to_thread

    while True:
        await anyio.sleep(DRAIN_S)
        await anyio.to_thread.run_sync(drain_reads, context)


def drain_reads(context: ToolContext) -> None:
    """Log the reads that wait, if the tree can be written."""
    session = context.session
    with suppress(CortexError, OSError):  # they wait for the next command
        if session.tree.spool.count_waiting() and session.tree.is_writable():
            session.drain_spool()
