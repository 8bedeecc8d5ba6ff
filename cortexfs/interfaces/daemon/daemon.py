"""The loop of the daemon: wait for an event or a due job, start jobs, collect their results."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortexfs.core.daemon.job_schedule import is_gap
from cortexfs.core.daemon.warm_up import cancel_warm_up
from cortexfs.errors import Refused
from cortexfs.interfaces.release_free_memory import release_free_memory
from cortexfs.session.daemon_files import count_cold_dispatches

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.interfaces.daemon.daemon_jobs import DaemonJobs
    from cortexfs.interfaces.daemon.state_publisher import StatePublisher
    from cortexfs.interfaces.path_queue import PathQueue
    from cortexfs.session.session import Session

MAX_WAIT_S = 15.0
"""Maximum seconds of one wait: it does not end while the machine sleeps or the tree is moved."""
_LOCK_GONE = "the lock of the daemon in .cortexfs was removed or replaced"


@dataclass(slots=True, eq=False)
class Daemon:
    """The loop of one tree's daemon; only its thread uses it, but for `stop`."""

    session: Session
    jobs: DaemonJobs
    hints: PathQueue
    publisher: StatePublisher
    watch_new_folders: Callable[[], str]
    """Returns the reason if a folder cannot be watched."""
    has_lock: Callable[[], bool] = lambda: True
    """Whether this is the only daemon of the tree; else it exits."""
    keep_running: bool = False
    """Whether not to exit when nothing happens for long."""
    once: bool = False
    """Whether to exit when everything is prepared."""
    ping: Callable[[], object] = lambda: None
    ping_s: float = MAX_WAIT_S
    """Seconds after which `ping` is called again at the latest."""
    is_stopping: bool = False

    def run(self) -> str:
        """Run jobs until told to stop, or until nothing has happened for long; return why it ends.

        Raises `TreeMoved` if the root is not the opened folder any more, and `Refused` if the
        lock is no longer in it.
        """
        self.jobs.begin()
        while not self.is_stopping:
            self.session.reader.require_same_root()
            if not self.has_lock():
                raise Refused(_LOCK_GONE, hint="`cortexfs daemon start` starts another daemon")
            self.jobs.collect_results()
            self.jobs.start_due()
            if self.jobs.has_grown and self.jobs.runner.is_idle:
                self._release_memory()
            self._publish()
            if reason := self._find_exit_reason():
                return reason
            self.ping()
            self._wait()
        return "stopped"

    def stop(self) -> None:
        """End the loop soon; any thread or signal handler may call it."""
        self.is_stopping = True
        self.hints.wake()

    def end(self) -> None:
        """Publish the last state: a warm-up that runs is cancelled."""
        self.publisher.set_warm_up(cancel_warm_up(self.publisher.state.warm_up))
        self.publisher.is_changed = True
        self._publish()

    def _release_memory(self) -> None:
        """Close the connections to the catalog, with their caches, and give free memory back.

        No job may run meanwhile; the next one opens a connection again.
        """
        self.jobs.has_grown = False
        self.session.close()
        gc.collect()
        release_free_memory()

    def _find_exit_reason(self) -> str:
        """Return why the daemon exits by itself; empty if it goes on."""
        if self.once:
            return "prepared" if self.jobs.is_prepared else ""
        idle_end = self._find_idle_end()
        is_idle = idle_end is not None and self.jobs.read_boot_clock() >= idle_end
        return "idle" if is_idle else ""

    def _find_idle_end(self) -> float | None:
        """Return when the daemon exits if nothing happens; None if it does not."""
        idle_exit_s = self.session.settings.daemon.idle_exit
        if self.keep_running or not idle_exit_s or not self.jobs.runner.is_idle:
            return None
        return self.jobs.last_event + idle_exit_s

    def _wait(self) -> None:
        """Wait for events, but no longer than until the next job is due; notice a suspension."""
        began = self.jobs.read_boot_clock()
        timeout_s = self._compute_timeout_s(began)
        hinted = self.hints.wait(timeout_s)
        gap_s = self.jobs.read_boot_clock() - began - timeout_s
        if is_gap(gap_s):
            self.publisher.report(f"continues after a gap of {gap_s:.0f} s")
            self.jobs.resume(gap_s)
        if hinted:
            self._note_hints(hinted)

    def _compute_timeout_s(self, now: float) -> float:
        found = (
            self.jobs.find_next_due(),
            self._find_idle_end(),
            self.jobs.runner.find_next_deadline(),
        )
        ends = [end for end in found if end is not None]
        return max(0.0, min(*ends, now + self.ping_s, now + MAX_WAIT_S) - now)

    def _note_hints(self, hinted: set[str]) -> None:
        is_in_root = any("/" not in path for path in hinted)  # perhaps a new folder
        if is_in_root and (problem := self.watch_new_folders()):
            publisher = self.publisher
            publisher.state = publisher.state._replace(watch="polling", watch_problem=problem)
        self.jobs.note_hints(hinted)

    def _publish(self) -> None:
        publisher, plans = self.publisher, self.jobs.plans
        if not publisher.is_due:
            return
        publisher.state = publisher.state._replace(
            updated=plans.read_clocks().wall,
            jobs=plans.describe(self.jobs.runner.running),
            cold_dispatches=count_cold_dispatches(self.session),
            backlog=self.session.tree.spool.count_waiting(),
        )
        if publisher.publish():
            plans.retry_failed()
