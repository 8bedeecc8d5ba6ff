"""One change of a tree under its lock: recover, plan, write, refresh, render, commit."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cortexfs.catalog.sqlite_errors import DamagedDatabase
from cortexfs.core.changes.plan import Outcome, Plan
from cortexfs.errors import AtomChanged, CatalogDamaged, CortexError
from cortexfs.history.commit_outcome import name_written
from cortexfs.session.pending_commits import FinishResult
from cortexfs.session.preserve_user_text import (
    back_up_index_md,
    preserve_user_text,
    refuse_secrets,
)
from cortexfs.tree.private_files import remove_old_drafts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cortexfs.core.changes.execution_mode import ExecutionMode
    from cortexfs.core.changes.plan import Append, Remove, ResultT, Write
    from cortexfs.session.pending_commits import PendingCommits
    from cortexfs.session.snapshot_reader import TreeReader
    from cortexfs.session.view import NeededContents, View

    Decide = Callable[[View], ResultT]
    Render = Callable[[View], Iterable[str]]

MAX_TRIES = 5
"""Maximum number of attempts to plan while a process without the lock keeps writing."""

_AttemptT = TypeVar("_AttemptT")


class ChangeRequest(NamedTuple):
    """The write mode of a change, the texts its planner needs, and the indexes to render."""

    mode: ExecutionMode
    ingest: NeededContents
    render: Render | None = None
    summary: str = ""
    """The message of the commit; empty: that of the plan."""


class TreeChange:
    """One change under the lock, from the leftovers of a killed run to the commit."""

    def __init__(self, reader: TreeReader, pending: PendingCommits, request: ChangeRequest) -> None:
        self.reader = reader
        self.pending = pending
        self.request = request
        self.recovered = FinishResult()
        self.outcome = Outcome(Plan(""), Plan(""))

    def begin(self) -> None:
        """Complete the changes of a killed run, and log the notes of the hooks."""
        if self.request.mode.is_deferred:
            return
        remove_old_drafts(self.reader.tree.root)
        self.recovered = commit_pending(self.pending, self.request.mode)
        drained = drain_notes(self.reader, self.pending, self.request.mode)
        self.outcome = self.outcome._replace(drain_plan=drained)

    def plan_and_write(self, decide: Decide[ResultT]) -> ResultT:
        """Write the files of one plan; if one changes in between, plan again."""
        decision, outcome = _retry(self.reader, lambda: self._plan_and_write(decide))
        if written := _list_paths(outcome.plan):
            with name_written(written):
                self.reader.refresh(written)
        self.outcome = _merge_outcomes(self.outcome, outcome)
        return decision

    def _plan_and_write(self, decide: Decide[ResultT]) -> tuple[ResultT, Outcome]:
        commit = self.request.mode.makes_commit
        max_age_s = None if self.request.mode.is_deferred else 0.0
        with self.reader.read(
            self.request.ingest, max_age_s=max_age_s, repository=self.pending.repository
        ) as view:
            decision = decide(view)
        plan = decision.plan
        if self.request.summary:
            plan = plan._replace(message=self.request.summary)
        refuse_secrets(self.pending, plan)
        if self.request.mode.is_deferred:
            self.pending.commit_before_overwrite(plan)
        preserved = preserve_user_text(self.pending, self._drop_own_writes(plan), commit=commit)
        refused = self.pending.write_plan(
            plan, commit=commit, is_deferred=self.request.mode.is_deferred
        )
        written, blocked = plan.without_unwritten(refused), tuple(refused.values())
        missing = self.pending.repository.missing_reason if commit and plan.commit_paths else ""
        outcome = Outcome(written, Plan(""), blocked_findings=blocked, missing_repository=missing)
        return decision, outcome._replace(**preserved._asdict())

    def _drop_own_writes(self, plan: Plan) -> Plan:
        """Remove the writes that overwrite a text that this change has written itself."""
        own = {(write.path, write.text) for write in self.outcome.plan.writes}
        return plan._replace(
            writes=tuple(w for w in plan.writes if (w.path, w.expected_text) not in own)
        )

    def end(self) -> Outcome:
        """Write the affected indexes, and commit."""
        if self.request.mode.is_deferred:
            return self.outcome
        render = self.request.render
        with self.reader.view_without_refresh(self.pending.repository) as view:
            paths = (*_list_paths(self.outcome.plan), *self.outcome.plan.adopted_paths)
            folders = {*(render(view) if render else _list_folders(view, paths))}
            folders |= _list_folders(view, self.recovered.paths)  # the killed run rendered none
        outcome = self._write_indexes(sorted(folders))
        self._record_current_indexes(outcome)
        made, reason, _ = commit_pending(self.pending, self.request.mode)
        return outcome._replace(
            commits=(*self.recovered.commits, *outcome.commits, *made), uncommitted_reason=reason
        )

    def _write_indexes(self, folders: Sequence[str]) -> Outcome:
        """Write the indexes of some folders, as far as the disk allows."""
        return _retry(self.reader, lambda: self._plan_and_write_indexes(folders))

    def _plan_and_write_indexes(self, folders: Sequence[str]) -> Outcome:
        before = self.outcome
        with self.reader.view_without_refresh(self.pending.repository) as view:
            planned, blocked = view.indexes.plan(folders)
        kept = back_up_index_md(self.pending, planned)
        writes = (index.write._replace(is_derived=True) for index in planned if index.write)
        plan = Plan(before.plan.message, tuple(writes))
        refused = self.pending.write_plan(plan, commit=self.request.mode.makes_commit)
        findings = (*before.blocked_findings, *blocked, *refused.values())
        return before._replace(
            indexes=tuple(index for index in planned if index.path not in refused),
            blocked_findings=tuple(dict.fromkeys(findings)),
            backups=(*before.backups, *(kept[path] for path in kept if path not in refused)),
        )

    def _record_current_indexes(self, outcome: Outcome) -> None:
        """Record in the catalog which indexes are current; discard it if that fails.

        A folder with a skipped path is not recorded: the next run checks it again.
        """
        skipped = {path.rpartition("/")[0] for path in outcome.plan.skipped_paths}
        planned = [p for p in outcome.indexes if p.path.rpartition("/")[0] not in skipped]
        try:
            self.reader.mark_indexes_current(planned)
        except (CortexError, DamagedDatabase):  # the files are written: the commit must follow
            self.reader.discard_catalog()


def _retry(reader: TreeReader, attempt: Callable[[], _AttemptT]) -> _AttemptT:
    """Repeat an attempt after a concurrent write without the lock, or a damaged catalog."""
    for _ in range(MAX_TRIES - 1):
        with suppress(AtomChanged, CatalogDamaged):
            return attempt()
        reader.refresh()
    return attempt()


def drain_notes(reader: TreeReader, pending: PendingCommits, mode: ExecutionMode) -> Plan:
    """Log all notes of the hooks; return the plans merged into one."""
    done, spool = Plan(""), reader.tree.spool
    if spool.count_waiting() and pending.repository.rebase_in_progress:
        return done
    while spool.count_waiting() and (plan := plan_waiting_notes(reader)).spool_notes:
        pending.write_plan(plan, commit=mode.makes_commit)
        kept = _log_process_events(reader, plan)
        removed = tuple(name for name in plan.spool_notes if name not in kept)
        spool.remove_notes(removed)
        done = Plan(plan.message, (), done.appends + plan.appends, done.spool_notes + removed)
        if kept:
            break
    if done.appends and reader.may_read_old_state:
        reader.refresh(_list_paths(done))
    return done


def plan_waiting_notes(reader: TreeReader) -> Plan:
    """Return the plan that adds the oldest notes to the logs."""
    from cortexfs.core.access.plan_drain import plan_drain  # noqa: PLC0415 - most runs find no note
    from cortexfs.session.event_places import make_places  # noqa: PLC0415
    from cortexfs.session.payload_path_resolver import make_path_resolver  # noqa: PLC0415

    tree = reader.tree
    settings = reader.settings
    resolver = make_path_resolver(tree, settings.kinds)
    places = make_places(tree) if settings.supervision.is_on else None
    return plan_drain(tree.spool.read_waiting(), resolver, tree.read_appendable_log, places)


def _log_process_events(reader: TreeReader, plan: Plan) -> frozenset[str]:
    """Log the process events of a drain; return the notes that must wait for space on the disk.

    If a whole batch of notes waits, their events are given up: reads behind them must be logged.
    """
    from datetime import UTC  # noqa: PLC0415 - most runs find no note

    from cortexfs.session.process_event_log import FullDisk, log_process_events  # noqa: PLC0415
    from cortexfs.tree.spool import MAX_NOTES_READ  # noqa: PLC0415

    today = reader.clock().astimezone(UTC).date()
    try:
        log_process_events(reader.tree, plan.process_events, today)
    except FullDisk:
        waiting = frozenset(event.note.partition("/")[0] for event in plan.process_events)
        return waiting if len(waiting) < MAX_NOTES_READ else frozenset()
    return frozenset()


def commit_pending(pending: PendingCommits, mode: ExecutionMode) -> FinishResult:
    """Commit what the journal lists, if the mode makes commits."""
    return pending.commit_pending() if mode.makes_commit else FinishResult()


def _list_paths(plan: Plan) -> list[str]:
    """Return the paths that a plan writes, removes or appends to."""
    steps: tuple[Write | Remove | Append, ...] = (*plan.writes, *plan.removes, *plan.appends)
    return [step.path for step in steps]


def _list_folders(view: View, paths: Iterable[str]) -> set[str]:
    """Return the folders of files, without folders that were removed with them."""
    above = {path.rpartition("/")[0] for path in paths}
    return {path for path in above if view.tree.is_folder(path)}


def _merge_outcomes(first: Outcome, second: Outcome) -> Outcome:
    """Return the outcome of two plans as that of one, with the message of the second."""
    one, other = first.plan, second.plan
    plan = other._replace(
        writes=one.writes + other.writes,
        appends=one.appends + other.appends,
        spool_notes=one.spool_notes + other.spool_notes,
        adopted_paths=one.adopted_paths + other.adopted_paths,
        uncommitted_paths=one.uncommitted_paths | other.uncommitted_paths,
        skipped_paths=one.skipped_paths | other.skipped_paths,
        removes=one.removes + other.removes,
    )
    return first._replace(
        plan=plan,
        missing_repository=first.missing_repository or second.missing_repository,
        blocked_findings=first.blocked_findings + second.blocked_findings,
        commits=first.commits + second.commits,
        backups=first.backups + second.backups,
        own_changes=first.own_changes + second.own_changes,
    )
