"""Keep the state of a daemon, and publish it: for its socket, and as files for everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.daemon.daemon_metrics import render_daemon_metrics
from cortexfs.core.daemon.daemon_state import DaemonState, format_daemon_state
from cortexfs.session.daemon_files import METRICS_FILE, STATE_FILE, store_private_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.daemon.warm_up import WarmUp


class StatePublisher:
    """The state of a daemon, and the text of it that was published last, which is the socket's."""

    def __init__(self, folder_fd: int, report: Callable[[str], object]) -> None:
        self.folder_fd, self.report = folder_fd, report
        self.state = DaemonState()
        self.is_changed = True
        """Whether the state has to be published."""
        self.text = ""
        self._problem = ""

    def set_warm_up(self, warm_up: WarmUp) -> None:
        """Replace the state of the warm-up; it is published with the next change."""
        self.state = self.state._replace(warm_up=warm_up)

    @property
    def is_due(self) -> bool:
        """Whether to publish the state: it has changed, or is not stored yet."""
        return self.is_changed or bool(self._problem)

    def publish(self) -> bool:
        """Publish the state, and store it with its metrics; a full disk is reported once.

        Returns whether it is stored after an attempt that failed: the disk has space again.
        """
        self.is_changed = False
        self.text, problem = format_daemon_state(self.state), ""
        try:
            store_private_text(self.folder_fd, STATE_FILE, self.text)
            store_private_text(self.folder_fd, METRICS_FILE, render_daemon_metrics(self.state))
        except OSError as error:
            problem = error.strerror or str(error)
        if problem and problem != self._problem:
            self.report(f"the state is not stored: {problem}")
        before, self._problem = self._problem, problem
        return bool(before and not problem)
