"""Share a test of many items among processes, because threads of Python take turns."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MAX_PROCESSES = 4
_THREADS = "/proc/self/task"
_TRUE, _FALSE = b"\1", b"\0"


def find_true_in_processes(sizes: Mapping[str, int], test: Callable[[str], bool]) -> set[str]:
    """Return the items for which a test is true; empty if this process cannot share the work.

    `sizes` says how much work each item is. An item whose process has failed is left out. A process
    with threads is not copied: a copy has only the calling thread, and locks of the others.
    """
    shares = _divide(sizes, min(MAX_PROCESSES, os.cpu_count() or 1))
    if len(shares) == 1 or not _has_one_thread():
        return set()
    children = list[tuple[int | None, int]]()
    try:
        children += (_start_child(share, test) for share in shares[1:])
        found = {item for item in shares[0] if test(item)}
        for share, (_, pipe) in zip(shares[1:], children, strict=True):
            answers = _read_all(pipe)
            found.update(item for item, each in zip(share, answers, strict=False) if each)
        return found
    finally:
        for pid, pipe in children:
            os.close(pipe)  # a child that still writes ends
            if pid:
                with suppress(ChildProcessError):
                    os.waitpid(pid, 0)


def _divide(sizes: Mapping[str, int], count: int) -> list[list[str]]:
    """Return the items in `count` shares of about the same size, the largest items first."""
    shares, totals = [list[str]() for _ in range(count)], [0] * count
    for item in sorted(sizes, key=lambda item: -sizes[item]):
        smallest = totals.index(min(totals))
        shares[smallest].append(item)
        totals[smallest] += sizes[item] + 1
    return shares


def _has_one_thread() -> bool:
    with suppress(OSError):
        return len(os.listdir(_THREADS)) == 1
    return False


def _start_child(share: Sequence[str], test: Callable[[str], bool]) -> tuple[int | None, int]:
    """Start a copy of this process that tests a share; return its id and a pipe of its answers."""
    read, write = os.pipe()
    try:
        pid = os.fork()
    except OSError:  # no process is left for this user: nothing is answered
        os.close(write)
        return None, read
    if pid:
        os.close(write)
        return pid, read
    try:
        for start in range(0, len(share), 100):
            part = share[start : start + 100]
            os.write(write, b"".join(_TRUE if test(item) else _FALSE for item in part))
    finally:
        os._exit(0)


def _read_all(pipe: int) -> bytes:
    content = b""
    while part := os.read(pipe, 1 << 16):
        content += part
    return content
