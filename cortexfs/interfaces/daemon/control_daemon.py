"""Start the daemon of a tree in the background, and stop it."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.settings.background_environment import (
    inherit_variables,
    is_background_disabled,
)
from cortexfs.errors import Conflict, Refused
from cortexfs.operations.drain_command import find_interpreter
from cortexfs.session.daemon_files import DaemonProcess, find_daemon, open_log
from cortexfs.session.daemon_socket import ask_daemon

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.session.session import Session

START_S = 15.0
"""Seconds in which a started process takes the lock; it takes a tenth of one."""
STOP_S = 10.0
"""Seconds in which a daemon ends: its running jobs have three."""
POLL_S = 0.02


class StartedDaemon(NamedTuple):
    """The process id of the daemon (0: unknown), and whether it was started now."""

    pid: int
    is_new: bool


class StoppedDaemon(NamedTuple):
    """The process id that the daemon had (0: unknown), and how it was asked: socket or signal."""

    pid: int
    by: str


def start_daemon(session: Session, environ: Mapping[str, str]) -> StartedDaemon:
    """Start the daemon unless one runs; raise `Refused` if it ends at once."""
    root = session.tree.root
    if process := find_daemon(root):
        return StartedDaemon(process.pid, is_new=False)
    if is_background_disabled(environ):
        raise Refused(
            "background processes are disabled by CORTEXFS_DRAIN_QUIET=off",
            hint="unset it, or use `cortexfs daemon run`",
        )
    pid = _spawn(root, environ)
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        if (process := find_daemon(root)) and process.pid:
            if process.pid != pid:  # ours, if it is slow, would run after that one was stopped
                os.kill(pid, signal.SIGTERM)  # not reaped: the id is that of our child
            return StartedDaemon(process.pid, is_new=process.pid == pid)
        if os.waitpid(pid, os.WNOHANG)[0]:
            break
        time.sleep(POLL_S)
    raise Refused(
        "the daemon did not start", hint=f"see {os.path.join(root, '.cortexfs', 'daemon.log')}"
    )


def stop_daemon(session: Session) -> StoppedDaemon | None:
    """Stop the daemon, and wait for its end; return None if none runs."""
    root = session.tree.root
    process = find_daemon(root)
    if process is None:
        return None
    if ask_daemon(root, "stop") == "stopping":
        by = "socket"
    elif process.is_same_process():
        by = "signal"
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGTERM)
    else:
        raise Conflict(
            "the daemon does not answer, and its process id is not known",
            hint=f"`fuser {root}/.cortexfs/daemon.lock` shows it",
        )
    _wait_for_end(root, process)
    return StoppedDaemon(process.pid, by)


def _wait_for_end(root: str, process: DaemonProcess) -> None:
    deadline = time.monotonic() + STOP_S
    while (current := find_daemon(root)) and current.pid == process.pid:
        if time.monotonic() > deadline:
            raise Conflict(
                f"the daemon (pid {process.pid}) has not ended after {STOP_S:.0f} s",
                hint=f"`kill -9 {process.pid}` ends it; nothing is lost" if process.pid else None,
            )
        time.sleep(POLL_S)


def _list_inheritable_files() -> list[int]:
    """Return the open files that a child would keep open for days: those of our own ancestors."""
    found = []
    for fd in map(int, os.listdir("/dev/fd")):
        with suppress(OSError):  # the file of the listing itself is closed by now
            if fd > 2 and os.get_inheritable(fd):  # noqa: PLR2004 - after the standard streams
                found.append(fd)
    return found


def _spawn(root: str, environ: Mapping[str, str]) -> int:
    """Start a process that executes Python anew, in a session of its own, without a terminal."""
    command = [find_interpreter(), "-I", "-m", "cortexfs", "--root", root, "daemon", "run"]
    log = open_log(root)
    try:
        files = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_DUP2, log, 2),
            *((os.POSIX_SPAWN_CLOSE, fd) for fd in _list_inheritable_files()),
        ]
        return os.posix_spawn(
            command[0], command, inherit_variables(environ), file_actions=files, setsid=True
        )
    except NotImplementedError:
        raise Refused(
            "this system cannot start a process in a session of its own",
            hint="use `cortexfs daemon run`",
        ) from None
    finally:
        os.close(log)
