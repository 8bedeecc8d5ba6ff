"""Give memory that is free back to the system; the allocator would keep it for days."""

from __future__ import annotations

from contextlib import suppress

PERIOD_S = 10.0
"""Seconds between two times in a server; each takes a few milliseconds of a thread."""


async def release_free_memory_regularly() -> None:
    """Do it until the server ends."""
    import anyio
    import anyio.to_thread

    while True:
        await anyio.sleep(PERIOD_S)
        await anyio.to_thread.run_sync(release_free_memory)


def release_free_memory() -> None:
    """Return the free parts of the heap to the system."""
    import ctypes

    with suppress(OSError, AttributeError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)
