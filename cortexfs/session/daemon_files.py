"""The private files of the daemon: its lock, its state, its metrics and its socket.

The lock is a `flock` on a file that is never deleted: the kernel releases it when the process ends
for any reason. The content of the file is only a hint.
"""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.daemon.daemon_state import MAX_STATE_BYTES, DaemonState, parse_daemon_state
from cortexfs.errors import CortexError
from cortexfs.tree import atomic_files
from cortexfs.tree.private_files import replace_locked_file
from cortexfs.tree.safe_open import open_folder, open_private_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.session.view import TreeFilesAndGit

LOCK_FILE = "daemon.lock"
STATE_FILE = "daemon.json"
METRICS_FILE = "metrics.prom"
LOG_FILE = "daemon.log"
COLD_FILE = "injection/cold"
"""One line for each session that began without a rendered bulletin; a hook writes it."""
MAX_LOCK_BYTES = 200
MAX_COLD_BYTES = 1 << 20
MAX_LOG_BYTES = 1 << 20
"""A larger log is begun anew."""
LOCK_TRIES, BETWEEN_TRIES_S = 10, 0.02
"""Somebody who only looks holds the lock for microseconds."""


class DaemonProcess(NamedTuple):
    """The process that holds the lock: its id and the system's stamp of its start (a hint)."""

    pid: int
    start_stamp: str

    def is_same_process(self) -> bool:
        """Return whether the id still belongs to the process that wrote it."""
        return self.pid > 1 and self.start_stamp == read_start_stamp(self.pid) != ""


class DaemonLock(NamedTuple):
    """The locked file of the daemon of a tree."""

    root: str
    file: int

    def is_in_place(self) -> bool:
        """Return whether another daemon would find this file; else two could run."""
        path = os.path.join(self.root, ".cortexfs", LOCK_FILE)
        with suppress(OSError):
            return os.path.samestat(os.lstat(path), os.fstat(self.file))
        return False


@contextmanager
def hold_daemon_lock(root: str) -> Iterator[DaemonLock | None]:
    """Hold the lock of the daemon of a tree; yield None if another process has it."""
    with open_private_folder(root) as at:
        lock = atomic_files.open_private_file(at, LOCK_FILE, os.O_RDWR | os.O_CREAT)
    try:
        has_lock = _try_lock(lock)
        if has_lock:
            _write_process(lock, DaemonProcess(os.getpid(), read_start_stamp(os.getpid())))
        yield DaemonLock(root, lock) if has_lock else None
    finally:
        os.close(lock)


def find_daemon(root: str) -> DaemonProcess | None:
    """Return the process that holds the lock of the daemon; None if no process does.

    Its id is 0 if the file does not say it.
    """
    try:
        with open_folder(root, ".cortexfs") as at:
            lock = atomic_files.open_private_file(at, LOCK_FILE, os.O_RDONLY)
    except (OSError, CortexError):
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _read_process(lock)
    else:
        return None
    finally:
        os.close(lock)


def read_start_stamp(pid: int) -> str:
    """Return the system's stamp of the start of a process, empty if it is unknown."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:
            return stat.read(4096).rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        pass
    if os.path.exists("/proc/self/stat"):
        return ""
    with suppress(OSError, subprocess.SubprocessError):
        command = ["/bin/ps", "-o", "lstart=", "-p", str(pid)]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
        return ran.stdout.strip()
    return ""


def read_stored_state(root: str) -> DaemonState | None:
    """Return the state that a daemon has stored, running or not; None if there is none."""
    content = _read_private(root, STATE_FILE, MAX_STATE_BYTES)
    return parse_daemon_state(content.decode(errors="replace")) if content else None


def read_metrics(root: str) -> str:
    """Return the metrics that a daemon has stored; empty if there are none."""
    return _read_private(root, METRICS_FILE, MAX_STATE_BYTES).decode(errors="replace")


@contextmanager
def open_daemon_folder(root: str) -> Iterator[int]:
    """Yield the private folder for as long as the daemon runs, with a folder for notes in it.

    What is written there goes to the opened tree, also if another one takes its path.
    """
    with open_private_folder(root, "spool", "new"), open_private_folder(root) as at:
        yield at


def store_private_text(folder_fd: int, name: str, text: str) -> None:
    """Replace a file of the opened private folder in one step; the caller is the daemon."""
    replace_locked_file(folder_fd, name, text.encode(errors="replace"))


def open_log(root: str) -> int:
    """Return the descriptor of the log, to which lines are added; a large log is begun anew."""
    with open_private_folder(root) as at:
        log = atomic_files.open_private_file(at, LOG_FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    trim_log(root, log)
    return log


def trim_log(root: str, file: int) -> None:
    """Begin the log anew if it is large, and if this file is the log."""
    with suppress(OSError):
        log = os.lstat(os.path.join(root, ".cortexfs", LOG_FILE))
        if log.st_size > MAX_LOG_BYTES and os.path.samestat(log, os.fstat(file)):
            os.ftruncate(file, 0)


def count_cold_dispatches(view: TreeFilesAndGit) -> int:
    """Return how many sessions began without a rendered bulletin."""
    return _read_private(view.tree.root, COLD_FILE, MAX_COLD_BYTES).count(b"\n")


def _read_private(root: str, path: str, max_bytes: int) -> bytes:
    """Return the content of a private file; empty if it cannot be read."""
    above, _, name = f".cortexfs/{path}".rpartition("/")
    try:
        with open_folder(root, above) as at:
            return atomic_files.read_file_bytes(at, name, max_bytes)
    except (OSError, CortexError):
        return b""


def _try_lock(lock: int) -> bool:
    for _ in range(LOCK_TRIES):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(BETWEEN_TRIES_S)
        else:
            return True
    return False


def _write_process(lock: int, process: DaemonProcess) -> None:
    """Write who has the lock; on a full disk nobody learns it, and the lock holds nevertheless."""
    with suppress(OSError):
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{json.dumps(process)}\n".encode(), 0)


def _read_process(lock: int) -> DaemonProcess:
    try:
        pid, stamp = json.loads(os.pread(lock, MAX_LOCK_BYTES, 0))
        return DaemonProcess(int(pid), str(stamp))
    except (ValueError, TypeError, OverflowError):
        return DaemonProcess(0, "")
