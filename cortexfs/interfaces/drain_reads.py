"""Log the reads of a long-lived server, and prepare what sessions get; it starts no process."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.errors import CortexError

if TYPE_CHECKING:
    from cortexfs.session.session import Session

DRAIN_S = 20.0
"""Seconds between two looks for reads that wait to be logged, and for changes of the tree."""


async def drain_reads_regularly(session: Session) -> None:
    """Log waiting reads, and prepare what sessions get, every 20 seconds, until cancelled."""
    import anyio
    import anyio.to_thread

    while True:
        await anyio.sleep(DRAIN_S)
        await anyio.to_thread.run_sync(drain_reads, session)


def drain_reads(session: Session) -> None:
    """Log the reads that wait, and prepare what sessions get, if the tree can be written."""
    with suppress(CortexError, OSError):  # they wait for the next command
        if not session.tree.is_writable():
            return
        waiting = session.tree.spool.count_waiting()
        if waiting:
            session.drain_spool()
        if waiting or session.tree.spool.has_change_mark():
            from cortexfs.operations.refresh_bulletin import refresh_bulletin
            from cortexfs.operations.refresh_injection import refresh_injection

            refresh_injection(session, os.environ)
            refresh_bulletin(session, os.environ)  # it may wait for a language model
