"""The loop of the daemon: wait for an event or a due job, start jobs, collect their results."""

from __future__ import annotations

import gc
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from cortexfs.core.daemon.daemon_state import DaemonState, shorten_error
from cortexfs.core.daemon.job_schedule import JobRule, Trigger, is_gap
from cortexfs.core.daemon.warm_up import (
    WarmUpState,
    begin_warm_up,
    cancel_warm_up,
    end_warm_up,
    rate_wording,
)
from cortexfs.errors import Refused, TreeMoved
from cortexfs.interfaces.daemon.job_table import BULLETIN, CATALOG, POLL_S, RESCAN_S, WARM_UP, Job
from cortexfs.interfaces.daemon.update_catalog import CatalogUpdate, update_catalog, warm_up_tree
from cortexfs.interfaces.release_free_memory import release_free_memory
from cortexfs.interfaces.watch import MAX_CHANGED_PATHS, NOTES_FOLDER
from cortexfs.operations.refresh_bulletin import BulletinRefresh, BulletinState
from cortexfs.operations.stories.analyse_new_chunks import AnalysisRun
from cortexfs.operations.supervise import SupervisionReport
from cortexfs.session.daemon_files import count_cold_dispatches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cortexfs.core.daemon.job_plan import JobPlan
    from cortexfs.interfaces.daemon.job_plans import JobPlans
    from cortexfs.interfaces.daemon.job_runner import JobResult, JobRunner
    from cortexfs.interfaces.path_queue import PathQueue
    from cortexfs.session.session import Session

MAX_WAIT_S = 15.0
"""Maximum seconds of one wait: it does not end while the machine sleeps or the tree is moved."""
ACTIVE_S = 1800.0
"""Seconds after a note of a hook for which an agent counts as working."""
_LOCK_GONE = "the lock of the daemon in .cortexfs was removed or replaced"
OWN_FILES = ("index.md", "BULLETIN.md")
"""Files that jobs write: their change alone makes no job due but the catalog's."""


@dataclass(slots=True, eq=False)
class Daemon:
    """The jobs of one tree, and what is known of them; only the loop's thread uses it."""

    session: Session
    environ: Mapping[str, str]
    jobs: tuple[Job, ...]
    runner: JobRunner
    plans: JobPlans
    hints: PathQueue
    read_boot_clock: Callable[[], float]
    publish: Callable[[DaemonState], bool]
    """Returns whether the state could also be stored."""
    report: Callable[[str], object]
    state: DaemonState
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
    _paths: set[str] = field(default_factory=set)
    """Paths that may have changed since the catalog's last run."""
    _has_grown: bool = False
    """Whether a job has used much memory since it was last released."""
    _last_event: float = 0.0
    _last_note: float = 0.0
    _is_changed: bool = True
    """Whether the state has to be published."""
    _is_stored: bool = True

    def run(self) -> str:
        """Run jobs until told to stop, or until nothing has happened for long; return why it ends.

        Raises `TreeMoved` if the root is not the opened folder any more, and `Refused` if the
        lock is no longer in it.
        """
        self._last_event = self._last_note = self.read_boot_clock()
        self.plans.begin(self._list_rules(), self.state.jobs)
        while not self.is_stopping:
            self.session.reader.require_same_root()
            if not self.has_lock():
                raise Refused(_LOCK_GONE, hint="`cortexfs daemon start` starts another daemon")
            self.collect_results()
            self.plans.replace_rules(self._list_rules())
            self._start_due_jobs()
            if self._has_grown and self.runner.is_idle:
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

    @property
    def _is_prepared(self) -> bool:
        return self.state.warm_up.state in {WarmUpState.WARM, WarmUpState.DEGRADED}

    def collect_results(self) -> None:
        """Record the runs that have ended."""
        for result in self.runner.collect(self.read_boot_clock()):
            self._finish(result)

    def end(self) -> None:
        """Publish the last state: a warm-up that runs is cancelled."""
        self.state = self.state._replace(warm_up=cancel_warm_up(self.state.warm_up))
        self._is_changed = True
        self._publish()

    def _release_memory(self) -> None:
        """Close the connections to the catalog, with their caches, and give free memory back.

        No job may run meanwhile; the next one opens a connection again.
        """
        self._has_grown = False
        self.session.close()
        gc.collect()
        release_free_memory()

    def _list_rules(self) -> Iterable[tuple[str, JobRule]]:
        settings = self.session.settings.daemon
        self._is_changed |= settings.bulletin != self.state.refresh_s
        self.state = self.state._replace(refresh_s=float(settings.bulletin))
        rescan_s = POLL_S if self.state.watch_problem else RESCAN_S
        yield WARM_UP, JobRule(0.0, frozenset({Trigger.START}))
        yield CATALOG, JobRule(rescan_s, frozenset({Trigger.CHANGE}))
        yield from ((job.name, job.get_rule(settings)) for job in self.jobs)

    def _start_due_jobs(self) -> None:
        for name, plan in self.plans.items():
            if self._may_start(name) and plan.is_due(self.read_boot_clock()):
                self._start(name, plan)

    def _may_start(self, name: str) -> bool:
        """Return whether a job may run now; before the first warm-up has ended nothing else may."""
        if self.runner.is_busy(name):
            return False
        if name == WARM_UP:
            return True
        is_active = self.read_boot_clock() - self._last_note < ACTIVE_S
        may_run = is_active or not self.plans[name].rule.only_active
        return may_run and self._is_prepared

    def _start(self, name: str, plan: JobPlan) -> None:
        task, timeout_s = self._make_task(name, plan), plan.rule.timeout_s
        self.runner.start(name, task, self.read_boot_clock(), timeout_s)
        self.plans.start(name)
        if name == WARM_UP:
            self.state = self.state._replace(warm_up=begin_warm_up(self.state.warm_up))
        self._is_changed |= name != CATALOG

    def _make_task(self, name: str, plan: JobPlan) -> Callable[[], object]:
        if name == WARM_UP:
            return partial(warm_up_tree, self.session, self.environ, self.jobs)
        if name != CATALOG:
            (run,) = (job.run for job in self.jobs if job.name == name)
            return partial(run, self.session, self.environ)
        paths, self._paths = self._paths, set()
        is_rescan = plan.time_due is not None and plan.time_due <= self.read_boot_clock()
        if is_rescan or len(paths) > MAX_CHANGED_PATHS or not paths:
            return partial(update_catalog, self.session, None)
        return partial(update_catalog, self.session, paths)

    def _finish(self, result: JobResult) -> None:
        """Record how a run ended, and what follows from it."""
        if result.is_tree_moved:
            raise TreeMoved(self.session.tree.root)
        error = shorten_error(result.error)
        if error and error != self.plans[result.name].record.error:
            self.report(f"{result.name} failed: {error}")
        self.plans.end(result.name, result.took_s, error)
        self._is_changed |= result.name != CATALOG or bool(error)
        if isinstance(result.value, CatalogUpdate):
            self._apply_update(result.value)
        if isinstance(result.value, SupervisionReport | AnalysisRun):
            for line in result.value.format_lines():
                self.report(line)
        if isinstance(result.value, BulletinRefresh):
            is_degraded = result.value.state is BulletinState.DEGRADED
            warm_up = rate_wording(self.state.warm_up, is_degraded=is_degraded)
            self.state = self.state._replace(warm_up=warm_up)
        if result.name == WARM_UP:
            self.state = self.state._replace(warm_up=end_warm_up(self.state.warm_up, error))
        if result.name == BULLETIN and not error:
            self._note_bulletin()

    def _apply_update(self, update: CatalogUpdate) -> None:
        self._has_grown |= update.is_large
        if update.changed_paths:
            self._last_event = self.read_boot_clock()
        if update.changed_paths or update.has_pending_work:
            self.plans.trigger(Trigger.CHANGE, but=CATALOG)
        if update.has_notes:
            self._note_hints({NOTES_FOLDER})
        for name in update.finished_jobs:
            self.plans.start(name)
            self.plans.end(name, 0.0)
        if BULLETIN in update.finished_jobs:
            self._note_bulletin()
        self._is_changed |= update.file_count != self.state.watched_files
        self.state = self.state._replace(watched_files=update.file_count)
        if update.embeddings:
            needs, has = update.embeddings
            warm_up = self.state.warm_up._replace(needs_embeddings=needs, has_embeddings=has)
            self.state = self.state._replace(warm_up=warm_up)

    def _note_bulletin(self) -> None:
        warm_up = self.state.warm_up._replace(bulletin_at=self.plans.read_clocks().wall)
        self.state = self.state._replace(warm_up=warm_up)

    def _find_exit_reason(self) -> str:
        """Return why the daemon exits by itself; empty if it goes on."""
        if self.once:
            return "prepared" if self._is_prepared else ""
        idle_end = self._find_idle_end()
        is_idle = idle_end is not None and self.read_boot_clock() >= idle_end
        return "idle" if is_idle else ""

    def _find_idle_end(self) -> float | None:
        """Return when the daemon exits if nothing happens; None if it does not."""
        idle_exit_s = self.session.settings.daemon.idle_exit
        if self.keep_running or not idle_exit_s or not self.runner.is_idle:
            return None
        return self._last_event + idle_exit_s

    def _wait(self) -> None:
        """Wait for events, but no longer than until the next job is due; notice a suspension."""
        began = self.read_boot_clock()
        timeout_s = self._compute_timeout_s(began)
        hinted = self.hints.wait(timeout_s)
        gap_s = self.read_boot_clock() - began - timeout_s
        if is_gap(gap_s):
            self.report(f"continues after a gap of {gap_s:.0f} s")
            self.runner.extend_deadlines(gap_s)
            self.plans.resume(CATALOG)
            self._is_changed = True
        if hinted:
            self._note_hints(hinted)

    def _compute_timeout_s(self, now: float) -> float:
        due = [plan.due for name, plan in self.plans.items() if self._may_start(name)]
        more = (self._find_idle_end(), self.runner.find_next_deadline())
        ends = [end for end in (*due, *more) if end is not None]
        return max(0.0, min(*ends, now + self.ping_s, now + MAX_WAIT_S) - now)

    def _note_hints(self, hinted: set[str]) -> None:
        self._last_event = self.read_boot_clock()
        if NOTES_FOLDER in hinted:
            self._last_note = self._last_event
            self.plans.trigger(Trigger.NOTES)
        self._paths |= hinted - {NOTES_FOLDER}
        is_in_root = any("/" not in path for path in hinted)  # perhaps a new folder
        if is_in_root and (problem := self.watch_new_folders()):
            self.state = self.state._replace(watch="polling", watch_problem=problem)
        if all(path.endswith(OWN_FILES) for path in hinted):
            self.plans.trigger_one(CATALOG, Trigger.CHANGE)
        elif hinted != {NOTES_FOLDER}:
            self.plans.trigger(Trigger.CHANGE)

    def _publish(self) -> None:
        if self._is_changed or not self._is_stored:
            self._is_changed = False
            self.state = self.state._replace(
                updated=self.plans.read_clocks().wall,
                jobs=self.plans.describe(self.runner.running),
                cold_dispatches=count_cold_dispatches(self.session),
                backlog=self.session.tree.spool.count_waiting(),
            )
            was_stored, self._is_stored = self._is_stored, self.publish(self.state)
            if self._is_stored and not was_stored:  # the disk has space again
                self.plans.retry_failed()
