"""Python that a process runs first, so that one of its system calls kills it or fails."""

from __future__ import annotations

_SHIM = """
import os

counts = {}


def with_fault(name, real):
    def wrapper(*args, **words):
        flags = args[1] if name == "open" else os.O_WRONLY
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and args[0] != os.devnull:
            counts[name] = counts.get(name, 0) + 1
            if record_path:
                with real_open(record_path, "a") as record:
                    record.write(name + "\\n")
            if (name, counts[name]) == (call, number):
                if fault == "kill":
                    os.kill(os.getpid(), 9)
                raise OSError(int(fault), os.strerror(int(fault)))
        return real(*args, **words)
    return wrapper


real_open = open
for name in "open write fsync rename link unlink mkdir ftruncate".split():
    setattr(os, name, with_fault(name, getattr(os, name)))
"""
"""Count the system calls of a process, and record them: one fails or kills."""


def make_shim(point: tuple[str, int], fault: str, record: str = "") -> str:
    """Return what makes the n-th call of a kind (`point`) kill the process, or fail.

    `fault` is `kill` or the number of an error; with `record` all calls are written there too.
    """
    return f"record_path, call, number, fault = {(record, *point, fault)!r}\n{_SHIM}"


def list_points(calls: str) -> list[tuple[str, int]]:
    """Return the recorded calls, each with its number."""
    found: list[tuple[str, int]] = []
    for call in calls.split():
        found.append((call, 1 + sum(call == known for known, _ in found)))
    return found
