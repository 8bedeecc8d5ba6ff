"""The one way to change a tree: lock, read, plan, write, refresh, render, commit."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cortexfs.catalog.sqlite_errors import DamagedDatabase
from cortexfs.core.changes.plan import ExecutedPlan, Outcome, Plan, WriteMode
from cortexfs.errors import AtomChanged, CatalogDamaged, CortexError, TreeLocked
from cortexfs.session.pending_commits import FinishResult, PendingCommits
from cortexfs.session.tree_lock import hold_tree_lock, read_lock_holder
from cortexfs.session.tree_repository import TreeRepository

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cortexfs.core.changes.plan import Append, Remove, ResultT, Write
    from cortexfs.session.tree_reader import TreeReader
    from cortexfs.session.view import IngestContents, View

    Decide = Callable[[View], ResultT]
    Render = Callable[[View], Iterable[str]]

MAX_TRIES = 5
"""Maximum number of attempts to plan while a process without the lock keeps writing."""

_AttemptT = TypeVar("_AttemptT")


class ChangeRequest(NamedTuple):
    """The write mode of a change, the texts its planner needs, and the indexes to render."""

    mode: WriteMode
    ingest: IngestContents
    render: Render | None = None
    summary: str = ""
    """The message of the commit; empty: that of the plan."""


@dataclass(slots=True, eq=False)
class TreeWriter:
    """Changes one tree; threads and processes take turns."""

    reader: TreeReader
    command: str
    wait_s: float
    write_lock: threading.Lock
    """Held by the thread that writes."""

    def dry_run(self, decide: Decide[ResultT], ingest: IngestContents) -> ExecutedPlan[ResultT]:
        """Plan, and raise the errors that `execute` would raise; nothing is written."""
        with self.reader.read(ingest, max_age_s=0.0) as view:
            decision = decide(view)
            PendingCommits(view.tree, view.repository).refuse_secrets(decision.plan)
        self.reader.tree.require_writable(decision.plan)
        return ExecutedPlan(decision, None)

    def execute(self, decide: Decide[ResultT], request: ChangeRequest) -> ExecutedPlan[ResultT]:
        """Execute a plan; errors of the planner are raised, and nothing is changed then."""
        with self._hold_lock() as pending:
            change = _Change(self.reader, pending, request)
            change.begin()
            decision = change.write(decide)
            return ExecutedPlan(decision, change.end())

    def execute_all(
        self, decides: Iterable[Decide[ResultT]], request: ChangeRequest
    ) -> tuple[list[ResultT | CortexError], Outcome]:
        """Execute several plans in one commit; a refused plan does not stop the others."""
        done: list[ResultT | CortexError] = []
        with self._hold_lock() as pending:
            change = _Change(self.reader, pending, request)
            change.begin()
            for decide in decides:
                try:
                    done.append(change.write(decide))
                except CortexError as error:
                    done.append(error)
            return done, change.end()

    def drain_spool(self, mode: WriteMode) -> Outcome:
        """Log the notes of the hooks, without reading the rest of the tree."""
        with self._hold_lock() as pending:
            drained = _drain_notes(self.reader, pending, mode)
            made, waiting, _ = _commit_pending(pending, mode)
            left = (
                pending.repository.rebase_in_progress
                if self.reader.tree.spool.count_waiting()
                else ""
            )
        return Outcome(Plan(""), drained, commits=made, uncommitted_reason=waiting or left)

    @contextmanager
    def _hold_lock(self) -> Iterator[PendingCommits]:
        """Wait for the other threads, then for the other processes."""
        root = self.reader.tree.root
        if not self.write_lock.acquire(timeout=self.wait_s):
            raise TreeLocked(str(read_lock_holder(root) or "another thread"))
        try:
            with hold_tree_lock(root, self.command, self.wait_s):
                yield PendingCommits(self.reader.tree, TreeRepository(root))
        finally:
            self.write_lock.release()


@dataclass(slots=True, eq=False)
class _Change:
    """One change under the lock, from the leftovers of a killed run to the commit."""

    reader: TreeReader
    pending: PendingCommits
    request: ChangeRequest
    recovered: FinishResult = field(default_factory=FinishResult)
    outcome: Outcome = field(default_factory=lambda: Outcome(Plan(""), Plan("")))

    def begin(self) -> None:
        """Complete the changes of a killed run, and log the notes of the hooks."""
        self.recovered = _commit_pending(self.pending, self.request.mode)
        drained = _drain_notes(self.reader, self.pending, self.request.mode)
        self.outcome = self.outcome._replace(drain_plan=drained)

    def write(self, decide: Decide[ResultT]) -> ResultT:
        """Write the files of one plan; if one changes in between, plan again."""
        commit = self.request.mode.makes_commit

        def attempt() -> tuple[ResultT, Outcome]:
            with self.reader.read(self.request.ingest, max_age_s=0.0) as view:
                decision = decide(view)
            plan = decision.plan
            if self.request.summary:
                plan = plan._replace(message=self.request.summary)
            self.pending.refuse_secrets(plan)
            kept = self.pending.preserve_user_text(self._drop_own_writes(plan), commit=commit)
            refused = self.pending.write_plan(plan, commit=commit)
            blocked = tuple(refused.values())
            done = Outcome(
                plan.without_refused(refused), Plan(""), blocked_findings=blocked, **kept._asdict()
            )
            return decision, done

        decision, done = _retry(self.reader, attempt)
        self.reader.refresh(_list_paths(done.plan))
        self.outcome = _merge_outcomes(self.outcome, done)
        return decision

    def _drop_own_writes(self, plan: Plan) -> Plan:
        """Remove the writes that overwrite a text that this change has written itself."""
        ours = {(write.path, write.text) for write in self.outcome.plan.writes}
        return plan._replace(
            writes=tuple(w for w in plan.writes if (w.path, w.expected_text) not in ours)
        )

    def end(self) -> Outcome:
        """Write the affected indexes, and commit."""
        with self.reader.view_without_refresh() as view:
            wanted = self.request.render
            folders = {
                *(wanted(view) if wanted else _list_folders(view, self.outcome.plan.commit_paths))
            }
            folders |= _list_folders(
                view, self.recovered.paths
            )  # a killed run did not come to them
        done = self._write_indexes(sorted(folders))
        self._record_current_indexes(done)
        made, waiting, _ = _commit_pending(self.pending, self.request.mode)
        return done._replace(
            commits=(*self.recovered.commits, *done.commits, *made), uncommitted_reason=waiting
        )

    def _write_indexes(self, folders: Sequence[str]) -> Outcome:
        """Write the indexes of some folders, as far as the disk allows."""
        before, tree = self.outcome, self.reader.tree

        def attempt() -> Outcome:
            with self.reader.view_without_refresh() as view:
                planned, blocked = view.plan_indexes(folders)
            kept = {
                index.path: tree.back_up_file(index.path)
                for index in planned
                if index.is_handwritten
            }
            writes = (index.write._replace(is_derived=True) for index in planned if index.write)
            plan = Plan(before.plan.message, tuple(writes))
            refused = self.pending.write_plan(plan, commit=self.request.mode.makes_commit)
            every = (*before.blocked_findings, *blocked, *refused.values())
            return before._replace(
                indexes=tuple(index for index in planned if index.path not in refused),
                blocked_findings=tuple(dict.fromkeys(every)),
                kept=(*before.kept, *(kept[path] for path in kept if path not in refused)),
            )

        return _retry(self.reader, attempt)

    def _record_current_indexes(self, done: Outcome) -> None:
        """Record in the catalog which indexes are current; discard it if that fails.

        A folder with a skipped path is not recorded: the next run checks it again.
        """
        undone = {path.rpartition("/")[0] for path in done.plan.skipped_paths}
        planned = [p for p in done.indexes if p.path.rpartition("/")[0] not in undone]
        try:
            self.reader.mark_indexes_current(planned)
        except (
            CortexError,
            DamagedDatabase,
        ):  # the files are written: what is derived must not stop us
            self.reader.discard_catalog()


def _retry(reader: TreeReader, attempt: Callable[[], _AttemptT]) -> _AttemptT:
    """Repeat an attempt after a concurrent write without the lock, or a damaged catalog."""
    for _ in range(MAX_TRIES - 1):
        with suppress(AtomChanged, CatalogDamaged):
            return attempt()
        reader.refresh()
    return attempt()


def _drain_notes(reader: TreeReader, pending: PendingCommits, mode: WriteMode) -> Plan:
    """Log all notes of the hooks; return the plans merged into one."""
    done, spool = Plan(""), reader.tree.spool
    if spool.count_waiting() and pending.repository.rebase_in_progress:
        return done
    while spool.count_waiting() and (plan := reader.plan_drain()).spool_notes:
        pending.write_plan(plan, commit=mode.makes_commit)
        spool.remove_notes(plan.spool_notes)
        done = Plan(
            plan.message, (), done.appends + plan.appends, done.spool_notes + plan.spool_notes
        )
    if done.appends and reader.is_watched:
        reader.refresh(_list_paths(done))
    return done


def _commit_pending(pending: PendingCommits, mode: WriteMode) -> FinishResult:
    return pending.commit_pending() if mode.makes_commit else FinishResult()


def _list_paths(plan: Plan) -> list[str]:
    every: tuple[Write | Remove | Append, ...] = (*plan.writes, *plan.removes, *plan.appends)
    return [each.path for each in every]


def _list_folders(view: View, paths: Iterable[str]) -> set[str]:
    """Return the folders of files, without folders that were removed with them."""
    above = {path.rpartition("/")[0] for path in paths}
    return {path for path in above if view.tree.is_folder(path)}


def _merge_outcomes(done: Outcome, more: Outcome) -> Outcome:
    """Return the outcome of several plans merged into one."""
    one, other = done.plan, more.plan
    plan = other._replace(
        writes=one.writes + other.writes,
        appends=one.appends + other.appends,
        spool_notes=one.spool_notes + other.spool_notes,
        adopted_paths=one.adopted_paths + other.adopted_paths,
        uncommitted_paths=one.uncommitted_paths | other.uncommitted_paths,
        skipped_paths=one.skipped_paths | other.skipped_paths,
        removes=one.removes + other.removes,
    )
    return done._replace(
        plan=plan,
        blocked_findings=done.blocked_findings + more.blocked_findings,
        commits=done.commits + more.commits,
        kept=done.kept + more.kept,
        own_changes=done.own_changes + more.own_changes,
    )
