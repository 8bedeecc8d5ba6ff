"""What the daemon of a tree does: asked over its socket, else as it was last stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.daemon.daemon_state import DaemonState, parse_daemon_state
from cortexfs.core.daemon.warm_up import NotReadyReason, find_not_ready_reason
from cortexfs.core.text.plural import format_count
from cortexfs.operations.shared.doctor_check import DoctorCheck, failed_check
from cortexfs.session.daemon_files import count_cold_dispatches, find_daemon, read_stored_state
from cortexfs.session.daemon_socket import ask_daemon

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.session.view import TreeFilesAndGit


class DaemonStatus(NamedTuple):
    """Whether a daemon runs, whether it answered, its state, and why work cannot begin prepared.

    The state is that of the last daemon if none runs; `now` is in seconds since the epoch.
    """

    is_running: bool
    has_answered: bool
    state: DaemonState
    not_ready: NotReadyReason | None
    now: float


def load_daemon_status(view: TreeFilesAndGit) -> DaemonStatus:
    """Return the status of the daemon; waits for an answer no longer than a tenth of a second."""
    root, now = view.tree.root, view.clock().timestamp()
    process = find_daemon(root)
    answered = parse_daemon_state(ask_daemon(root, "status")) if process else None
    state = answered or read_stored_state(root) or DaemonState()
    state = state._replace(
        cold_dispatches=count_cold_dispatches(view), backlog=view.tree.spool.count_waiting()
    )
    if process and process.pid:
        state = state._replace(pid=process.pid)
    reason = find_not_ready_reason(state.warm_up, now, state.refresh_s)
    if process is None:
        reason = NotReadyReason.STATE_NOT_WARM
    return DaemonStatus(process is not None, answered is not None, state, reason, now)


def check_daemon(view: TreeFilesAndGit) -> Iterator[DoctorCheck]:
    """Yield the lines of `doctor` on the daemon: a tree needs none, but one that fails is shown."""
    status = load_daemon_status(view)
    if not status.is_running:
        yield DoctorCheck("daemon", "not running; `cortexfs daemon start` starts it")
        return
    state, failing = status.state, [each for each in status.state.jobs if each.record.error]
    if failing:
        result = f"{format_count(len(failing), 'job')} failed: {failing[0].record.error}"
        yield failed_check("daemon", result, "cortexfs daemon status")
    elif state.watch_problem:
        fix = "raise fs.inotify.max_user_watches, or stop other watchers"
        yield failed_check("daemon", state.watch_problem, fix)
    else:
        yield DoctorCheck("daemon", f"running (pid {state.pid})")
    ready = f"not ready: {status.not_ready}" if status.not_ready else "ready for work"
    cold = format_count(state.cold_dispatches, "session")
    warm_up = ": ".join(filter(None, (state.warm_up.state, state.warm_up.error)))
    yield DoctorCheck("warm-up", f"{warm_up}; {ready}; {cold} began without a bulletin")
