"""The one way to change a tree: lock, read, plan, write, refresh, render, commit."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cortexfs.catalog.sqlite_errors import Damaged
from cortexfs.core.changes.plan import Executed, Mode, Outcome, Plan
from cortexfs.errors import AtomChanged, CatalogDamaged, CortexError, TreeLocked
from cortexfs.session.lock import holder, locked
from cortexfs.session.pending import Finished, Pending
from cortexfs.session.repository import Repository

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cortexfs.core.changes.plan import Append, Decided, Remove, Write
    from cortexfs.session.reader import Reader
    from cortexfs.session.view import Intake, View

    Decide = Callable[[View], Decided]
    Render = Callable[[View], Iterable[str]]

TRIES = 5
"""How often a plan is made anew because somebody without the lock wrote in between."""

_Done = TypeVar("_Done")


class Request(NamedTuple):
    """How far a change goes, what its planner asks the catalog for, and which indexes follow."""

    mode: Mode
    intake: Intake
    render: Render | None = None
    summary: str = ""
    """The message of the commit; empty: that of the plan."""


@dataclass(slots=True, eq=False)
class Writer:
    """Changes one tree; threads take turns, and so do processes."""

    reader: Reader
    command: str
    wait_s: float
    turn: threading.Lock
    """Held by the thread that writes."""

    def rehearse(self, decide: Decide[Decided], intake: Intake) -> Executed[Decided]:
        """Decide, and refuse what `execute` would refuse; nothing is written."""
        with self.reader.read(intake, max_age_s=0.0) as view:
            decision = decide(view)
            Pending(view.tree, view.repository).examine(decision.plan)
        self.reader.tree.foresee(decision.plan)
        return Executed(decision, None)

    def execute(self, decide: Decide[Decided], request: Request) -> Executed[Decided]:
        """Do what is decided. Raises what the planner raises; then nothing was changed."""
        with self._locked() as pending:
            change = _Change(self.reader, pending, request)
            change.begin()
            decision = change.write(decide)
            return Executed(decision, change.end())

    def execute_all(
        self, decides: Iterable[Decide[Decided]], request: Request
    ) -> tuple[list[Decided | CortexError], Outcome]:
        """Do several things in one commit; what is refused of them does not stop the others."""
        done: list[Decided | CortexError] = []
        with self._locked() as pending:
            change = _Change(self.reader, pending, request)
            change.begin()
            for decide in decides:
                try:
                    done.append(change.write(decide))
                except CortexError as error:
                    done.append(error)
            return done, change.end()

    def drain(self, mode: Mode) -> Outcome:
        """Log what hooks have noted, without a look at the rest of the tree."""
        with self._locked() as pending:
            drained = _drain(self.reader, pending, mode)
            made, waiting, _ = _finish(pending, mode)
            left = pending.repository.rebasing if self.reader.tree.spool.waiting_count() else ""
        return Outcome(Plan(""), drained, commits=made, waiting=waiting or left)

    @contextmanager
    def _locked(self) -> Iterator[Pending]:
        """Wait for the other threads, then for the other processes."""
        root = self.reader.tree.root
        if not self.turn.acquire(timeout=self.wait_s):
            raise TreeLocked(str(holder(root) or "another thread"))
        try:
            with locked(root, self.command, self.wait_s):
                yield Pending(self.reader.tree, Repository(root))
        finally:
            self.turn.release()


@dataclass(slots=True, eq=False)
class _Change:
    """One change under the lock, from what a killed run has left to the commit."""

    reader: Reader
    pending: Pending
    request: Request
    earlier: Finished = field(default_factory=Finished)
    done: Outcome = field(default_factory=lambda: Outcome(Plan(""), Plan("")))

    def begin(self) -> None:
        """Finish what a killed run has left, and log what hooks have noted."""
        self.earlier = _finish(self.pending, self.request.mode)
        drained = _drain(self.reader, self.pending, self.request.mode)
        self.done = self.done._replace(drained=drained)

    def write(self, decide: Decide[Decided]) -> Decided:
        """Write the files of one plan; where one changes in between, plan again."""
        commit = self.request.mode.commits

        def attempt() -> tuple[Decided, Outcome]:
            with self.reader.read(self.request.intake, max_age_s=0.0) as view:
                decision = decide(view)
            plan = decision.plan
            if self.request.summary:
                plan = plan._replace(summary=self.request.summary)
            self.pending.examine(plan)
            kept = self.pending.keep(self._over_others(plan), commit=commit)
            refused = self.pending.write(plan, commit=commit)
            blocked = tuple(refused.values())
            done = Outcome(plan.without(refused), Plan(""), blocked=blocked, **kept._asdict())
            return decision, done

        decision, done = _again(self.reader, attempt)
        self.reader.refresh(_touched(done.plan))
        self.done = _joined(self.done, done)
        return decision

    def _over_others(self, plan: Plan) -> Plan:
        """Leave out what writes over a text that this change has written itself."""
        ours = {(write.path, write.text) for write in self.done.plan.writes}
        return plan._replace(
            writes=tuple(w for w in plan.writes if (w.path, w.replacing) not in ours)
        )

    def end(self) -> Outcome:
        """Write the indexes that follow, and commit."""
        with self.reader.view() as view:
            wanted = self.request.render
            folders = {*(wanted(view) if wanted else _folders_of(view, self.done.plan.paths))}
            folders |= _folders_of(view, self.earlier.paths)  # a killed run did not come to them
        done = self._render(sorted(folders))
        self._settle(done)
        made, waiting, _ = _finish(self.pending, self.request.mode)
        return done._replace(commits=(*self.earlier.commits, *done.commits, *made), waiting=waiting)

    def _render(self, folders: Sequence[str]) -> Outcome:
        """Write the indexes of some folders, as far as the disk lets us."""
        before, tree = self.done, self.reader.tree

        def attempt() -> Outcome:
            with self.reader.view() as view:
                planned, blocked = view.plan_indexes(folders)
            kept = {index.path: tree.keep(index.path) for index in planned if index.by_hand}
            writes = (index.write._replace(bookkeeping=True) for index in planned if index.write)
            plan = Plan(before.plan.summary, tuple(writes))
            refused = self.pending.write(plan, commit=self.request.mode.commits)
            every = (*before.blocked, *blocked, *refused.values())
            return before._replace(
                indexes=tuple(index for index in planned if index.path not in refused),
                blocked=tuple(dict.fromkeys(every)),
                kept=(*before.kept, *(kept[path] for path in kept if path not in refused)),
            )

        return _again(self.reader, attempt)

    def _settle(self, done: Outcome) -> None:
        """Let the catalog know what the indexes now say; one that cannot is made anew.

        A folder with an open end is not done with: the next run looks at it again.
        """
        undone = {path.rpartition("/")[0] for path in done.plan.left_out}
        planned = [p for p in done.indexes if p.path.rpartition("/")[0] not in undone]
        try:
            self.reader.settle(planned)
        except (CortexError, Damaged):  # the files are written: what is derived must not stop us
            self.reader.rebuild()


def _again(reader: Reader, attempt: Callable[[], _Done]) -> _Done:
    """Do again what somebody without the lock has crossed, or a damaged catalog."""
    for _ in range(TRIES - 1):
        with suppress(AtomChanged, CatalogDamaged):
            return attempt()
        reader.refresh()
    return attempt()


def _drain(reader: Reader, pending: Pending, mode: Mode) -> Plan:
    """Log what hooks have noted, as many notes as there are; the plans in one."""
    done, spool = Plan(""), reader.tree.spool
    if spool.waiting_count() and pending.repository.rebasing:
        return done
    while spool.waiting_count() and (plan := reader.plan_drain()).notes:
        pending.write(plan, commit=mode.commits)
        spool.forget(plan.notes)
        done = Plan(plan.summary, (), done.appends + plan.appends, done.notes + plan.notes)
    if done.appends and reader.watched:
        reader.refresh(_touched(done))
    return done


def _finish(pending: Pending, mode: Mode) -> Finished:
    return pending.finish() if mode.commits else Finished()


def _touched(plan: Plan) -> list[str]:
    every: tuple[Write | Remove | Append, ...] = (*plan.writes, *plan.removes, *plan.appends)
    return [each.path for each in every]


def _folders_of(view: View, paths: Iterable[str]) -> set[str]:
    """Name the folders that files lie in, but for those that went with them."""
    above = {path.rpartition("/")[0] for path in paths}
    return {path for path in above if view.tree.is_folder(path)}


def _joined(done: Outcome, more: Outcome) -> Outcome:
    """Put what has come of another plan to what has come of those before it."""
    one, other = done.plan, more.plan
    plan = other._replace(
        writes=one.writes + other.writes,
        appends=one.appends + other.appends,
        notes=one.notes + other.notes,
        adopted=one.adopted + other.adopted,
        uncommitted=one.uncommitted | other.uncommitted,
        left_out=one.left_out | other.left_out,
        removes=one.removes + other.removes,
    )
    return done._replace(
        plan=plan,
        blocked=done.blocked + more.blocked,
        commits=done.commits + more.commits,
        kept=done.kept + more.kept,
        own_changes=done.own_changes + more.own_changes,
    )
