"""The jobs of a running daemon: what makes them due, and what follows from their results."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from cortexfs.core.daemon.daemon_state import shorten_error
from cortexfs.core.daemon.job_schedule import JobRule, Trigger
from cortexfs.core.daemon.warm_up import WarmUpState, begin_warm_up, end_warm_up, rate_wording
from cortexfs.errors import TreeMoved
from cortexfs.interfaces.daemon.job_table import BULLETIN, CATALOG, POLL_S, RESCAN_S, WARM_UP, Job
from cortexfs.interfaces.daemon.update_catalog import CatalogUpdate, update_catalog, warm_up_tree
from cortexfs.interfaces.watch import MAX_CHANGED_PATHS, NOTES_FOLDER
from cortexfs.operations.refresh_bulletin import BulletinRefresh, BulletinState
from cortexfs.operations.stories.analyse_new_chunks import AnalysisRun
from cortexfs.operations.supervise import SupervisionReport

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cortexfs.core.daemon.job_plan import JobPlan
    from cortexfs.interfaces.daemon.job_plans import JobPlans
    from cortexfs.interfaces.daemon.job_runner import JobResult, JobRunner
    from cortexfs.interfaces.daemon.state_publisher import StatePublisher
    from cortexfs.session.session import Session

ACTIVE_S = 1800.0
"""Seconds after a note of a hook for which an agent counts as working."""
OWN_FILES = ("index.md", "BULLETIN.md")
"""Files that jobs write: their change alone makes no job due but the catalog's."""


@dataclass(slots=True, eq=False)
class DaemonJobs:
    """The jobs of one tree; only the loop's thread uses it."""

    session: Session
    environ: Mapping[str, str]
    jobs: tuple[Job, ...]
    runner: JobRunner
    plans: JobPlans
    publisher: StatePublisher
    read_boot_clock: Callable[[], float]
    last_event: float = 0.0
    """When something happened last in the tree."""
    has_grown: bool = False
    """Whether a job has used much memory since it was last released."""
    _last_note: float = 0.0
    _paths: set[str] = field(default_factory=set)
    """Paths that may have changed since the catalog's last run."""

    def begin(self) -> None:
        """Plan all jobs, which go on from the records of the last daemon."""
        self.last_event = self._last_note = self.read_boot_clock()
        self.plans.begin(self._list_rules(), self.publisher.state.jobs)

    @property
    def is_prepared(self) -> bool:
        """Whether a warm-up has ended, be it with an error."""
        return self.publisher.state.warm_up.state in {WarmUpState.WARM, WarmUpState.DEGRADED}

    def find_next_due(self) -> float | None:
        """Return when the next job that may run is due; None if no job is."""
        due = (plan.due for name, plan in self.plans.items() if self._may_start(name))
        return min((each for each in due if each is not None), default=None)

    def start_due(self) -> None:
        """Start the jobs that are due, by the rules of the current settings."""
        self.plans.replace_rules(self._list_rules())
        for name, plan in self.plans.items():
            if self._may_start(name) and plan.is_due(self.read_boot_clock()):
                self._start(name, plan)

    def collect_results(self) -> None:
        """Record the runs that have ended; raises `TreeMoved` if one noticed that."""
        for result in self.runner.collect(self.read_boot_clock()):
            self._finish(result)

    def note_hints(self, hinted: set[str]) -> None:
        """Make the jobs due that follow from changed paths, or from notes of hooks."""
        self.last_event = self.read_boot_clock()
        if NOTES_FOLDER in hinted:
            self._last_note = self.last_event
            self.plans.trigger(Trigger.NOTES)
        self._paths |= hinted - {NOTES_FOLDER}
        if all(path.endswith(OWN_FILES) for path in hinted):
            self.plans.trigger_one(CATALOG, Trigger.CHANGE)
        elif hinted != {NOTES_FOLDER}:
            self.plans.trigger(Trigger.CHANGE)

    def resume(self, gap_s: float) -> None:
        """Go on after a gap: running jobs have that much longer, overdue ones are spread."""
        self.runner.extend_deadlines(gap_s)
        self.plans.resume(CATALOG)
        self.publisher.is_changed = True

    def _list_rules(self) -> Iterable[tuple[str, JobRule]]:
        settings, publisher = self.session.settings.daemon, self.publisher
        publisher.is_changed |= settings.bulletin != publisher.state.refresh_s
        publisher.state = publisher.state._replace(refresh_s=float(settings.bulletin))
        rescan_s = POLL_S if publisher.state.watch_problem else RESCAN_S
        yield WARM_UP, JobRule(0.0, frozenset({Trigger.START}))
        yield CATALOG, JobRule(rescan_s, frozenset({Trigger.CHANGE}))
        yield from ((job.name, job.get_rule(settings)) for job in self.jobs)

    def _may_start(self, name: str) -> bool:
        """Return whether a job may run now; before the first warm-up has ended nothing else may."""
        if self.runner.is_busy(name):
            return False
        if name == WARM_UP:
            return True
        is_active = self.read_boot_clock() - self._last_note < ACTIVE_S
        may_run = is_active or not self.plans[name].rule.only_active
        return may_run and self.is_prepared

    def _start(self, name: str, plan: JobPlan) -> None:
        task, timeout_s = self._make_task(name, plan), plan.rule.timeout_s
        self.runner.start(name, task, self.read_boot_clock(), timeout_s)
        self.plans.start(name)
        if name == WARM_UP:
            self.publisher.set_warm_up(begin_warm_up(self.publisher.state.warm_up))
        self.publisher.is_changed |= name != CATALOG

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
        error, publisher = shorten_error(result.error), self.publisher
        if error and error != self.plans[result.name].record.error:
            publisher.report(f"{result.name} failed: {error}")
        self.plans.end(result.name, result.took_s, error)
        publisher.is_changed |= result.name != CATALOG or bool(error)
        self._apply_value(result.value)
        if result.name == WARM_UP:
            publisher.set_warm_up(end_warm_up(publisher.state.warm_up, error))
        if result.name == BULLETIN and not error:
            self._note_bulletin()

    def _apply_value(self, value: object) -> None:
        """Apply what a job returns, if anything follows from it."""
        publisher = self.publisher
        if isinstance(value, CatalogUpdate):
            self._apply_update(value)
        if isinstance(value, SupervisionReport | AnalysisRun):
            for line in value.format_lines():
                publisher.report(line)
        if isinstance(value, BulletinRefresh):
            is_degraded = value.state is BulletinState.DEGRADED
            publisher.set_warm_up(rate_wording(publisher.state.warm_up, is_degraded=is_degraded))

    def _apply_update(self, update: CatalogUpdate) -> None:
        self.has_grown |= update.is_large
        if update.changed_paths:
            self.last_event = self.read_boot_clock()
        if update.changed_paths or update.has_pending_work:
            self.plans.trigger(Trigger.CHANGE, but=CATALOG)
        if update.has_notes:
            self.note_hints({NOTES_FOLDER})
        for name in update.finished_jobs:
            self.plans.start(name)
            self.plans.end(name, 0.0)
        if BULLETIN in update.finished_jobs:
            self._note_bulletin()
        publisher = self.publisher
        publisher.is_changed |= update.file_count != publisher.state.watched_files
        publisher.state = publisher.state._replace(watched_files=update.file_count)
        if update.embeddings:
            needs, has = update.embeddings
            warm_up = publisher.state.warm_up
            publisher.set_warm_up(warm_up._replace(needs_embeddings=needs, has_embeddings=has))

    def _note_bulletin(self) -> None:
        warm_up = self.publisher.state.warm_up
        self.publisher.set_warm_up(warm_up._replace(bulletin_at=self.plans.read_clocks().wall))
