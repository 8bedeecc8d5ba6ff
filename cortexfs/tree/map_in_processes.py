"""Compute a function of many items in copies of this process: threads of Python take turns."""

from __future__ import annotations

import gc
import os
import sys
import threading
import warnings
from contextlib import contextmanager, suppress
from itertools import chain
from typing import IO, TYPE_CHECKING, NamedTuple, TypeVar

from cortexfs.tree.scan_in_processes import MAX_PROCESSES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_ItemT = TypeVar("_ItemT")
_ResultT = TypeVar("_ResultT")

MIN_ITEMS = 1000
"""Number of items from which it pays to start processes."""
FIRST_ITEMS = 20
"""Number of items that are computed before the copies are made."""
CHUNK_SIZE = 100
"""Number of items whose results are sent at once."""
ALLOCATIONS_PER_COLLECTION = 100_000
"""Number of new objects after which Python looks for garbage, here and in the copies."""


class _Child(NamedTuple):
    """A process and the pipe of its results; no process if none could be started."""

    pid: int | None
    pipe: IO[bytes]


@contextmanager
def map_in_processes(
    function: Callable[[_ItemT], _ResultT], items: Sequence[_ItemT]
) -> Iterator[Iterator[_ResultT]]:
    """Yield the results of a function in the order of the items; they must be values to pickle.

    The first items are computed here, so that the copies have what the function imports, compiles
    and caches; they start before the first result is read. Few items, or all in a process with
    threads of Python, are computed here: a copy has only the calling thread, and locks of the
    others. So are the items of a process that fails. Processes end with the context.
    """
    count = min(MAX_PROCESSES, os.cpu_count() or 1)
    if len(items) < MIN_ITEMS or count == 1 or not _can_be_copied():
        yield map(function, items)
        return
    first = list(map(function, items[:FIRST_ITEMS]))
    rest = range(FIRST_ITEMS, len(items), CHUNK_SIZE)
    chunks = [items[start : start + CHUNK_SIZE] for start in rest]
    children: list[_Child] = []
    thresholds = gc.get_threshold()
    gc.set_threshold(ALLOCATIONS_PER_COLLECTION)  # else a tenth of the time is spent on garbage
    try:
        for number in range(count):
            children.append(_start_child(function, chunks[number::count], children))
        yield chain(first, _read_results(function, chunks, children))
    finally:
        gc.set_threshold(*thresholds)
        for child in children:
            child.pipe.close()  # one that still writes ends
        for child in children:
            if child.pid:
                with suppress(ChildProcessError):
                    os.waitpid(child.pid, 0)


def _can_be_copied() -> bool:
    """Return whether no thread could hold a lock of Python; those of an engine never do."""
    return sys.platform == "linux" and threading.active_count() == 1


def _start_child(
    function: Callable[[_ItemT], _ResultT],
    chunks: Sequence[Sequence[_ItemT]],
    others: Sequence[_Child],
) -> _Child:
    """Start a copy of this process that computes some chunks."""
    read, write = os.pipe()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # the engine's threads
            pid = os.fork()
    except OSError:  # no process is left for this user: all is computed here
        os.close(write)
        return _Child(None, os.fdopen(read, "rb"))
    if pid:
        os.close(write)
        return _Child(pid, os.fdopen(read, "rb"))
    try:
        import pickle  # noqa: PLC0415 - only a first catalog needs it

        gc.freeze()  # what the copy has from its parent is never garbage: it stays shared memory
        for fd in (read, *(other.pipe.fileno() for other in others)):
            os.close(fd)  # or their writers would not notice that the reader has ended
        with os.fdopen(write, "wb") as pipe:
            for chunk in chunks:
                pickle.dump(list(map(function, chunk)), pipe)
                pipe.flush()
    finally:
        os._exit(0)


def _read_results(
    function: Callable[[_ItemT], _ResultT],
    chunks: Sequence[Sequence[_ItemT]],
    children: Sequence[_Child],
) -> Iterator[_ResultT]:
    """Yield the results of all chunks; those that a failed process did not send are computed."""
    import pickle  # noqa: PLC0415 - as above

    failed: set[int] = set()
    for number, chunk in enumerate(chunks):
        place = number % len(children)
        results: list[_ResultT] | None = None
        if place not in failed:
            with suppress(EOFError, OSError, pickle.UnpicklingError):
                results = pickle.load(children[place].pipe)  # noqa: S301 - our own copy wrote it
        if results is None:
            failed.add(place)
            results = list(map(function, chunk))
        yield from results
