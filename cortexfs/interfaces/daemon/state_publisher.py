"""Publish the state of a daemon: for its socket, and as files for everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.daemon.daemon_metrics import render_daemon_metrics
from cortexfs.core.daemon.daemon_state import format_daemon_state
from cortexfs.session.daemon_files import METRICS_FILE, STATE_FILE, store_private_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.daemon.daemon_state import DaemonState


class StatePublisher:
    """Keep the published state for the socket, and store it with its metrics."""

    def __init__(self, folder_fd: int, report: Callable[[str], object]) -> None:
        self.folder_fd, self.report = folder_fd, report
        self.text = ""
        self._problem = ""

    def publish(self, state: DaemonState) -> bool:
        """Publish a state, and return whether it is stored; a full disk is reported once."""
        self.text, problem = format_daemon_state(state), ""
        try:
            store_private_text(self.folder_fd, STATE_FILE, self.text)
            store_private_text(self.folder_fd, METRICS_FILE, render_daemon_metrics(state))
        except OSError as error:
            problem = error.strerror or str(error)
        if problem and problem != self._problem:
            self.report(f"the state is not stored: {problem}")
        self._problem = problem
        return not problem
