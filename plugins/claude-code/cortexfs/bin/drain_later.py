"""Wait until no more notes arrive, then become the drain.

    python -I -S drain_later.py [--now] SPOOL COMMAND...

One process per tree waits: it locks SPOOL/drain.lock, and the lock is released when the process
ends for any reason. It releases the lock before it checks for notes, so a hook that writes a later
note finds the lock free and starts another process. `--now` neither locks nor waits.
"""

import os
import sys
import time

QUIET_VARIABLE = "CORTEXFS_DRAIN_QUIET"
"""The environment variable for the seconds without a note that count as quiet."""

QUIET_S = 20.0
"""An active agent reads every few seconds; a longer pause lets its commit happen."""

MAX_QUIETS = 6
"""Drain after this many quiet times (two minutes), even if notes keep arriving."""

LOCK_NAME = "drain.lock"
CHANGE_MARK = "tree-changed"
"""How the name of a file begins that says: the bulletin is older than the tree."""
TRIES, BETWEEN_S = 40, 0.05
"""The hook that starts this process holds the lock until it exits, which takes milliseconds."""


def open_spool(path: str) -> int:
    """Return the descriptor of the spool; the folders below the root are never links."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    own = os.path.dirname(path)
    at = os.open(os.path.dirname(own), flags)
    for step in (os.path.basename(own), os.path.basename(path)):
        at = os.open(step, flags | os.O_NOFOLLOW, dir_fd=at)
    return at


def take_lock(spool: int) -> int | None:
    """Return the descriptor of the locked file; None if another process already waits."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    file = os.open(LOCK_NAME, flags, 0o600, dir_fd=spool)
    for _ in range(TRIES):
        try:
            os.lockf(file, os.F_TLOCK, 0)
        except (BlockingIOError, PermissionError):
            time.sleep(BETWEEN_S)
        else:
            return file
    return None


def parse_quiet_s(text: str) -> float:
    """Return the seconds that count as quiet: the requested number, else the default."""
    try:
        seconds = float(text)
    except ValueError:
        return QUIET_S
    return seconds if 0 <= seconds <= QUIET_S * MAX_QUIETS else QUIET_S


def wait_for_quiet(new: int, quiet: float) -> None:
    """Sleep until no note has arrived for `quiet` seconds, or for six times as long."""
    end = time.monotonic() + quiet * MAX_QUIETS
    changed, remaining = os.fstat(new).st_mtime_ns, quiet
    while remaining > 0:
        time.sleep(remaining)
        before, changed = changed, os.fstat(new).st_mtime_ns
        if changed == before:
            return
        age = time.time() - changed / 1e9  # below 0 if the clock was set back
        remaining = min(quiet - min(max(age, 0), quiet), end - time.monotonic())


def main(path: str, command: list[str], *, now: bool) -> None:
    """Wait, and run the command in place of this process if there is a note or a change."""
    spool = open_spool(path)
    new = os.open("new", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=spool)
    if not now:
        lock = take_lock(spool)
        if lock is None:
            return
        wait_for_quiet(new, parse_quiet_s(os.environ.get(QUIET_VARIABLE, "")))
        os.close(lock)
    if os.listdir(new) or any(name.startswith(CHANGE_MARK) for name in os.listdir(spool)):
        os.execv(command[0], command)  # noqa: S606 - argv, no shell


if __name__ == "__main__" and "CORTEXFS_SIDECAR" not in os.environ:
    now = sys.argv[1:2] == ["--now"]
    os.closerange(3, 256)  # close what the client left open: this process lives for two minutes
    os.chdir("/")
    os.nice(19)  # it must not slow the agent
    try:
        main(sys.argv[1 + now], sys.argv[2 + now :], now=now)
    except (OSError, ValueError, IndexError):
        sys.exit(1)  # the notes wait for the next command
