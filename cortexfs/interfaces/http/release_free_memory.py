"""Give memory that is free back to the system from time to time; the allocator would keep it."""

from __future__ import annotations

from contextlib import suppress

import anyio
import anyio.to_thread

PERIOD_S = 10.0
"""Seconds between two times; each takes a few milliseconds of a thread."""


async def release_free_memory_regularly() -> None:
    """Do it until the server ends."""
    while True:
        await anyio.sleep(PERIOD_S)
        await anyio.to_thread.run_sync(release_free_memory)


def release_free_memory() -> None:
    """Return the free parts of the heap to the system."""
    import ctypes

    with suppress(OSError, AttributeError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)
