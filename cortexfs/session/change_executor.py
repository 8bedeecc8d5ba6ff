"""Take turns with other threads and processes, and change the tree."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import ExecutedPlan, Outcome, Plan
from cortexfs.errors import CortexError, HistoryFailed, OutsideTree, TreeLocked
from cortexfs.session.pending_commits import PendingCommits
from cortexfs.session.perform_change import TreeChange, commit_pending, drain_notes
from cortexfs.session.preserve_user_text import refuse_secrets
from cortexfs.session.tree_lock import hold_tree_lock, read_lock_holder
from cortexfs.session.tree_repository import share_repository

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cortexfs.core.changes.plan import PlannerResult, ResultT
    from cortexfs.session.perform_change import ChangeRequest, Decide
    from cortexfs.session.snapshot_reader import TreeReader
    from cortexfs.session.view import NeededContents


_LAST_COMMIT_KEY = "deferred-commit"
"""The key, in the catalog, of the time of the last commit of deferred changes."""


def list_plans(results: Iterable[PlannerResult | CortexError]) -> tuple[Plan, ...]:
    """Return the plans among the results of planners."""
    return tuple(each.plan for each in results if not isinstance(each, CortexError))


class TreeWriter(NamedTuple):
    """Changes one tree; threads and processes take turns."""

    reader: TreeReader
    command: str
    wait_s: float
    write_lock: threading.Lock
    """Held by the thread that writes."""

    def dry_run(self, decide: Decide[ResultT], ingest: NeededContents) -> ExecutedPlan[ResultT]:
        """Plan, and raise the errors that `execute` would raise; nothing is written."""
        from cortexfs.tree.write_files import require_writable  # noqa: PLC0415 - only a dry run checks

        with self.reader.read(ingest, max_age_s=0.0) as view:
            decision = decide(view)
            refuse_secrets(PendingCommits(view.tree, view.repository), decision.plan)
        require_writable(self.reader.tree.root, decision.plan)
        return ExecutedPlan(decision, None)

    def dry_run_all(
        self, decides: Iterable[Decide[ResultT]], ingest: NeededContents
    ) -> list[ResultT | CortexError]:
        """Plan several changes of the tree as it is; a refused one does not stop the others."""
        done: list[ResultT | CortexError] = []
        for decide in decides:
            try:
                done.append(self.dry_run(decide, ingest).result)
            except CortexError as error:
                done.append(error)
        return done

    def execute(self, decide: Decide[ResultT], request: ChangeRequest) -> ExecutedPlan[ResultT]:
        """Execute a plan; errors of the planner are raised, and nothing is changed then."""
        with self._hold_lock() as pending:
            change = TreeChange(self.reader, pending, request)
            change.begin()
            decision = change.plan_and_write(decide)
            outcome = change.end()
        self._mark_changed(outcome)
        return ExecutedPlan(decision, outcome)

    def execute_all(
        self,
        decides: Iterable[Decide[ResultT]],
        request: ChangeRequest,
        check_plans: Callable[[Sequence[Plan]], object] | None = None,
    ) -> tuple[list[ResultT | CortexError], Outcome]:
        """Execute several plans in one commit; a refused plan does not stop the others.

        `check_plans` gets first what each would be in the tree as it is, and may raise.
        """
        done: list[ResultT | CortexError] = []
        with self._hold_lock() as pending:
            change = TreeChange(self.reader, pending, request)
            change.begin()
            if check_plans:
                decides = [*decides]
                check_plans(list_plans(self.dry_run_all(decides, request.ingest)))
            for decide in decides:
                try:
                    done.append(change.plan_and_write(decide))
                except CortexError as error:
                    done.append(error)
            outcome = change.end()
        self._mark_changed(outcome)
        return done, outcome

    def drain_spool(self, mode: ExecutionMode) -> Outcome:
        """Log the notes of the hooks, without reading the rest of the tree."""
        with self._hold_lock() as pending:
            drained = drain_notes(self.reader, pending, mode)
            made, reason, _ = commit_pending(pending, mode)
            left = (
                pending.repository.rebase_in_progress
                if self.reader.tree.spool.count_waiting()
                else ""
            )
        return Outcome(Plan(""), drained, commits=made, uncommitted_reason=reason or left)

    def commit_deferred(self, interval_s: float, now: Callable[[], float]) -> bool:
        """Commit the deferred changes of all processes.

        Nothing is done, and False returned, if such a commit was made within `interval_s` seconds.
        Raises `HistoryFailed` if the changes cannot be committed now, say during a rebase.
        """
        with self._hold_lock() as pending:
            elapsed_s = now() - _parse_time(self.reader.catalog.get_value(_LAST_COMMIT_KEY))
            if 0 <= elapsed_s < interval_s:
                return False
            done = commit_pending(pending, ExecutionMode.COMMIT)
            if done.waiting_reason:
                raise HistoryFailed(f"written, not committed: {done.waiting_reason}")
            if done.commits:
                self.reader.store_value(_LAST_COMMIT_KEY, str(now()))
        return True

    def _mark_changed(self, outcome: Outcome) -> None:
        """Note that the bulletin is older than the tree, if the change wrote anything."""
        plan = outcome.plan
        if plan.writes or plan.removes or plan.adopted_paths:
            self.reader.has_changed = True
            with suppress(
                OSError, OutsideTree
            ):  # without a mark it is rendered after a later change
                self.reader.tree.spool.add_change_mark()

    @contextmanager
    def _hold_lock(self) -> Iterator[PendingCommits]:
        """Wait for the other threads, then for the other processes."""
        root = self.reader.tree.root
        if not self.write_lock.acquire(timeout=self.wait_s):
            raise TreeLocked(str(read_lock_holder(root) or "another thread"))
        try:
            self.reader.require_same_root()
            with hold_tree_lock(root, self.command, self.wait_s), share_repository(root) as found:
                yield PendingCommits(self.reader.tree, found)
        finally:
            self.write_lock.release()


def _parse_time(text: str) -> float:
    """Return the seconds in a value of the catalog, which may be damaged; 0 without a number."""
    try:
        return float(text)
    except ValueError:
        return 0.0
