"""Run the daemon of a tree in this process, until it is stopped or idle for long."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from cortexfs.core.atoms.tree_paths import DAEMON_SOCKET
from cortexfs.core.daemon.daemon_state import DaemonState
from cortexfs.core.daemon.job_plan import TwoClocks
from cortexfs.core.daemon.warm_up import WarmUp
from cortexfs.errors import Conflict, CortexError, Refused, TreeMoved
from cortexfs.interfaces.answer_current import watch_and_answer
from cortexfs.interfaces.daemon.daemon import MAX_WAIT_S, Daemon
from cortexfs.interfaces.daemon.daemon_jobs import OWN_FILES, DaemonJobs
from cortexfs.interfaces.daemon.job_plans import JobPlans
from cortexfs.interfaces.daemon.job_runner import JobRunner
from cortexfs.interfaces.daemon.job_table import list_jobs
from cortexfs.interfaces.daemon.limit_reports import limit_reports
from cortexfs.interfaces.daemon.service_notify import ServiceNotifier, take_notifier
from cortexfs.interfaces.daemon.state_publisher import StatePublisher
from cortexfs.interfaces.daemon.watch_folders import make_folder_watcher, start_observer
from cortexfs.interfaces.path_queue import PathQueue
from cortexfs.interfaces.socket_server import SocketServer
from cortexfs.session.daemon_files import (
    find_daemon,
    hold_daemon_lock,
    open_daemon_folder,
    read_stored_state,
    trim_log,
)
from cortexfs.session.daemon_socket import bind_socket

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, MutableMapping

    from cortexfs.session.session import Session

END_S = 3.0
"""Seconds that running jobs have at the end; what they have written by then, is completed later."""
_STANDARD_ERROR = 2


def run_daemon(
    session: Session,
    environ: MutableMapping[str, str],
    report: Callable[[str], object],
    *,
    keep_running: bool,
    once: bool = False,
) -> str:
    """Run the daemon, and return why it ended: `stopped`, `idle`, or `prepared` with `once`.

    Raises `Conflict` if one runs, `TreeMoved` if the tree has gone, and `Refused` if with `once`
    something could not be prepared.
    """
    root, notifier = session.tree.root, take_notifier(environ)
    report = limit_reports(_trim_log_before(root, report), _read_boot_clock)
    with hold_daemon_lock(root) as lock, open_daemon_folder(root) as folder_fd:
        if not lock:
            raise _make_conflict(root)
        if not once:
            report(f"running (pid {os.getpid()})")
        session.serve_reads(0.0)
        hints = PathQueue()
        runner = JobRunner(root, session.clock, hints.wake)
        publisher = StatePublisher(folder_fd, report)
        with _serve_and_watch(session, dict(environ), runner, hints, publisher) as daemon:
            daemon.keep_running, daemon.once = keep_running, once
            daemon.has_lock = lock.is_in_place
            with _stop_on_signals(daemon), hints.wake_on_signals():
                reason = _run_loop(daemon, notifier)
                _finish_jobs(daemon)
            if once and (error := publisher.state.warm_up.error):
                raise Refused(f"not everything could be prepared: {error}")
    if not runner.is_idle:
        _end_process(0)
    hints.close()
    return reason


def _read_boot_clock() -> float:
    """Return seconds by a clock that never jumps; on Linux the time in suspend counts."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


def _make_conflict(root: str) -> Conflict:
    process = find_daemon(root)
    pid = f" (pid {process.pid})" if process and process.pid else ""
    return Conflict(
        f"the daemon of this tree already runs{pid}", hint="`cortexfs daemon stop` stops it"
    )


def _run_loop(daemon: Daemon, notifier: ServiceNotifier) -> str:
    """Run the loop, and tell the service manager when it begins and ends; return why it ended."""
    _configure_notifier(daemon, notifier)
    notifier.send("READY=1")
    try:
        return daemon.run()
    finally:
        notifier.send("STOPPING=1")


@contextmanager
def _serve_and_watch(
    session: Session,
    environ: Mapping[str, str],
    runner: JobRunner,
    hints: PathQueue,
    publisher: StatePublisher,
) -> Iterator[Daemon]:
    """Yield the daemon with its socket and its events, as far as the system has them."""
    observer, problem = start_observer(session.tree.root, hints)
    report = publisher.report
    if problem:
        report(problem)
    publisher.state = _begin_state(session, problem)
    daemon = Daemon(
        session=session,
        jobs=_make_jobs(session, environ, runner, publisher),
        hints=hints,
        publisher=publisher,
        watch_new_folders=make_folder_watcher(observer, report),
    )
    server = _start_server(daemon)
    try:
        with watch_and_answer(session, partial(hints.add, OWN_FILES[0])):
            yield daemon
    finally:
        if server:
            server.close()
        if observer:
            observer.stop()


def _make_jobs(
    session: Session, environ: Mapping[str, str], runner: JobRunner, publisher: StatePublisher
) -> DaemonJobs:
    return DaemonJobs(
        session=session,
        environ=environ,
        jobs=list_jobs(environ),
        runner=runner,
        plans=JobPlans(lambda: TwoClocks(session.clock().timestamp(), _read_boot_clock())),
        publisher=publisher,
        read_boot_clock=_read_boot_clock,
    )


def _trim_log_before(root: str, report: Callable[[str], object]) -> Callable[[str], object]:
    def report_and_trim(text: str) -> None:
        trim_log(root, _STANDARD_ERROR)
        report(text)

    return report_and_trim


def _start_server(daemon: Daemon) -> SocketServer | None:
    """Start to answer on the socket; None where the system allows none."""
    try:
        listener = bind_socket(daemon.session.tree.root, DAEMON_SOCKET)
    except OSError as error:
        daemon.publisher.report(
            f"no socket: {error.strerror or error}; `daemon stop` sends a signal"
        )
        return None
    server = SocketServer(listener, lambda request: _answer(daemon, request))
    server.start()
    return server


def _begin_state(session: Session, problem: str) -> DaemonState:
    """Return the first state: the records of the jobs are those of the last daemon."""
    stored = read_stored_state(session.tree.root) or DaemonState()
    return DaemonState(
        pid=os.getpid(),
        since=session.clock().timestamp(),
        warm_up=WarmUp(bulletin_at=0.0),
        jobs=stored.jobs,
        watched_files=stored.watched_files,
        watch="polling" if problem else "events",
        watch_problem=problem,
    )


def _answer(daemon: Daemon, request: str) -> str:
    """Return the answer to a request of a client, in the thread of the socket."""
    if request == "status":
        return daemon.publisher.text
    if request == "stop":
        daemon.stop()
        return "stopping\n"
    return "unknown\n"


def _configure_notifier(daemon: Daemon, notifier: ServiceNotifier) -> None:
    daemon.ping_s = notifier.watchdog_s / 2 if notifier.watchdog_s else MAX_WAIT_S
    if notifier.watchdog_s:
        daemon.ping = lambda: notifier.send("WATCHDOG=1")


@contextmanager
def _stop_on_signals(daemon: Daemon) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in numbers}
    for number in numbers:
        signal.signal(number, lambda _number, _frame: daemon.stop())
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _finish_jobs(daemon: Daemon) -> None:
    """Give running jobs some seconds, and store the last state."""
    deadline = time.monotonic() + END_S
    runner = daemon.jobs.runner
    while not runner.is_idle and (left := deadline - time.monotonic()) > 0:
        daemon.hints.wait(left)
        daemon.jobs.collect_results()
    with suppress(TreeMoved):
        daemon.end()
    if runner.is_idle:
        with suppress(CortexError, OSError):
            daemon.session.close()


def _end_process(code: int) -> None:
    """End the process without waiting for threads that hang."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
