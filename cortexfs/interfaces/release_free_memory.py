"""Keep a server small: free memory goes back to the system, which the allocator would keep."""

from __future__ import annotations

from contextlib import suppress

PERIOD_S = 10.0
"""Seconds between two times in a server; each takes a few milliseconds of a thread."""
MAX_ARENAS = 2
"""Number of heaps. Each thread would get one of its own, and each keeps what is free between two
blocks: 20 MB after all pages of 10,000 atoms. Python's threads take turns anyway."""
_M_ARENA_MAX = -8
"""The parameter of glibc's `mallopt`."""


def share_heaps() -> None:
    """Let the threads that begin from now on share their heaps."""
    import ctypes

    with suppress(OSError, AttributeError):  # only glibc has it
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, MAX_ARENAS)


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
