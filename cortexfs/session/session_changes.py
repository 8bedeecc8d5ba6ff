"""Plan or make the changes of a session: observed, and with a later commit where that is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Outcome, Plan
from cortexfs.session.change_executor import list_plans

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.changes.plan import ExecutedPlan, ResultT
    from cortexfs.errors import CortexError
    from cortexfs.session.change_executor import TreeWriter
    from cortexfs.session.change_observer import ChangeObserver
    from cortexfs.session.deferred_commits import DeferredCommits
    from cortexfs.session.perform_change import ChangeRequest, Decide


class SessionChanges(NamedTuple):
    """What makes the changes of a session, what observes them, and what commits deferred ones."""

    writer: TreeWriter
    observer: ChangeObserver | None
    deferred: DeferredCommits | None

    def execute(self, decide: Decide[ResultT], request: ChangeRequest) -> ExecutedPlan[ResultT]:
        """Run a planner, and execute its plan unless it is a dry run."""
        observer = self.observer
        if request.mode.is_dry_run:
            decide = observer.watch_view(decide) if observer else decide
            planned = self.writer.dry_run(decide, request.ingest)
            if observer:
                observer.planned.append((planned.result.plan,))
            return planned
        decide = observer.watch_plan(decide) if observer else decide
        executed = self.writer.execute(decide, self._resolve_mode(request))
        self._note_change(request.mode)
        if observer and executed.outcome:
            observer.outcomes.append(executed.outcome)
        return executed

    def execute_all(
        self, decides: Iterable[Decide[ResultT]], request: ChangeRequest
    ) -> tuple[list[ResultT | CortexError], Outcome]:
        """Run several planners, and execute their plans in one commit unless it is a dry run."""
        observer = self.observer
        decides = map(observer.watch_view, decides) if observer else decides
        if request.mode.is_dry_run:
            results = self.writer.dry_run_all(decides, request.ingest)
            if observer:
                observer.planned.append(list_plans(results))
            return results, Outcome(Plan(request.summary), Plan(""))
        check = observer.check_plans if observer else None
        done = self.writer.execute_all(decides, self._resolve_mode(request), check)
        self._note_change(request.mode)
        if observer:
            observer.outcomes.append(done[1])
        return done

    def _resolve_mode(self, request: ChangeRequest) -> ChangeRequest:
        """Return a request in the mode `COMMIT` where nothing would make the deferred commit."""
        is_possible = self.deferred or not request.mode.is_deferred
        return request if is_possible else request._replace(mode=ExecutionMode.COMMIT)

    def _note_change(self, mode: ExecutionMode) -> None:
        self.writer.reader.last_change = object()
        if mode.is_deferred and self.deferred:
            self.deferred.note_change()
