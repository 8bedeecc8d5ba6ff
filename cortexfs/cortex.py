"""Tree, catalog and history, wired once; `carry_out` is the only door to a change."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from cortexfs.catalog import index_plans, index_state
from cortexfs.catalog.catalog import Catalog
from cortexfs.catalog.index_plans import day
from cortexfs.core.changes.plan import Outcome, Plan
from cortexfs.errors import AtomChanged, CatalogBusy, CatalogFailed, HistoryFailed
from cortexfs.ledger import Finished, Ledger
from cortexfs.tree.spool import Spool
from cortexfs.tree.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from datetime import datetime

    from cortexfs.catalog.embeddings.embedding_model import Model
    from cortexfs.catalog.index_plans import Indexes
    from cortexfs.catalog.queries import Facts
    from cortexfs.catalog.text_queries import Within
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.changes.plan import IndexPlan
    from cortexfs.core.settings.settings import Settings

    Planner = Callable[["Cortex"], Plan]
    Progress = Callable[[int, int], None]

TRIES = 5
"""How often a plan is made anew because somebody without the lock wrote in between."""

_Done = TypeVar("_Done")


@dataclass(slots=True, eq=False)
class Cortex:
    """One tree with all that belongs to it; the clock (aware times) is passed in."""

    tree: Tree
    settings: Settings
    catalog: Catalog
    ledger: Ledger
    clock: Callable[[], datetime]
    progress: Progress | None = None
    model: Model | None = None
    """What embeds texts, where it is not the installed model."""

    @classmethod
    def open(cls, root: str, clock: Callable[[], datetime]) -> Cortex:
        """Open the tree at a root; raises `NoTree` where there is none."""
        return cls.bare(Tree.at(root).root, clock)

    @classmethod
    def begin(cls, root: str, clock: Callable[[], datetime]) -> Cortex:
        """Open a folder that is to become a tree, making it and its repository."""
        Tree(root).make()
        cortex = cls.bare(root, clock)
        cortex.ledger.begin()
        return cortex

    @classmethod
    def bare(cls, root: str, clock: Callable[[], datetime]) -> Cortex:
        """Open a folder whether it is a tree or not."""
        tree = Tree(root)
        settings = tree.settings()
        catalog = Catalog.open(tree.prepare(), settings.kinds)
        return cls(tree, settings, catalog, Ledger(tree), clock)

    @property
    def kinds(self) -> Kinds:
        """The kinds of this tree."""
        return self.settings.kinds

    @property
    def spool(self) -> Spool:
        """Where hooks leave their notes."""
        return Spool(self.tree.root)

    @property
    def facts(self) -> Facts:
        """What the catalog knows; refresh it first."""
        from cortexfs.catalog.queries import Facts  # noqa: PLC0415 - an idle run asks nothing

        return Facts(self.catalog)

    def within(self) -> Within:
        """Take in the texts that have changed, and answer what stands within; refresh first."""
        from cortexfs.catalog.text_queries import Within  # noqa: PLC0415 - few commands ask

        return Within.read(self.catalog, self.tree, self.progress)

    def carry_out(
        self,
        planner: Planner,
        *,
        commit: bool = True,
        render: Callable[[], Iterable[str]] | None = None,
    ) -> Outcome:
        """Lock, read, plan, write, refresh, render, commit: every change comes through here.

        `render` names the folders whose index is rendered (default: those whose atoms the
        plan writes). A file that changes between plan and write makes the plan be made anew;
        an index, or other bookkeeping, that the disk refuses is left and reported.
        """
        with self.tree.locked():
            earlier = self._finish(commit=commit)
            drained = self._drain(commit=commit)
            done = self._write(planner, commit=commit)._replace(drained=drained)
            folders = {*(render() if render else self._folders_of(done.plan.paths))}
            folders |= self._folders_of(earlier.paths)  # a killed run did not come to them
            done = self._render(done, tuple(folders), commit=commit)
            self._settle(done.indexes, open_ends=done.plan.left_out)
            made, waiting, _ = self._finish(commit=commit)
        return done._replace(commits=(*earlier.commits, *done.commits, *made), waiting=waiting)

    def rehearse(self, planner: Planner) -> Plan:
        """Decide as `carry_out` does, and refuse what it refuses; nothing is written."""
        self.refresh()
        return self._decide(planner)

    def drain(self, *, commit: bool = True) -> Outcome:
        """Log what hooks have noted, without a look at the rest of the tree."""
        with self.tree.locked():
            drained = self._drain(commit=commit)
            made, waiting, _ = self._finish(commit=commit)
            left = self.ledger.rebasing if self.spool.waiting_count() else ""
        return Outcome(Plan(""), drained, commits=made, waiting=waiting or left)

    def plan_drain(self) -> Plan:
        """Decide what the oldest notes add to the logs."""
        from cortexfs.core.access.plan_drain import plan_drain  # noqa: PLC0415 - most runs find no note
        from cortexfs.tree.hook_paths import around  # noqa: PLC0415

        here = around(self.tree, self.kinds)
        return plan_drain(self.spool.waiting(), here, self.tree.log)

    def catch_up(self) -> None:
        """Log what hooks have noted, where the tree can be written, and refresh."""
        if self.tree.is_writable() and self.spool.waiting_count():
            with suppress(OSError, HistoryFailed):  # a full disk: the notes wait, reading goes on
                self.drain()
        self.refresh()

    def refresh(self, among: Collection[str] | None = None) -> list[str]:
        """Make the catalog agree with the tree; give the paths that had changed.

        Who knows which files may have changed has those alone looked at. A catalog that turns
        out damaged is made anew. Raises `CatalogFailed` where that fails too.
        """
        try:
            return self._refresh(among)
        except sqlite3.DatabaseError as error:
            if "locked" in str(error):
                raise CatalogBusy from None
            self.catalog = self.catalog.renewed(self.kinds)
        try:
            return self._refresh()
        except sqlite3.DatabaseError as error:
            raise CatalogFailed(str(error)) from None

    def is_stale(self) -> bool:
        """Tell whether an index may be out of date, or a note waits."""
        return bool(self.changed_folders(None) or self.spool.waiting_count())

    def folders(self, projects: Sequence[str] | None = None) -> Iterator[str]:
        """Name the existing folders that have an index, of some projects or of all."""
        return index_plans.folders(self.tree, self.kinds, projects)

    def changed_folders(self, projects: Sequence[str] | None) -> list[str]:
        """Name the folders whose index may be out of date."""
        known = index_state.rendered(self.catalog, day(self.clock()))
        return [folder for folder in self.folders(projects) if folder not in known]

    def plan_indexes(self, folders: Iterable[str], *, afresh: bool = False) -> Indexes:
        """Decide what these indexes should read; `afresh` as of the time that each bears."""
        return index_plans.plan_indexes(
            self.tree, self.catalog, self.kinds, folders, self.clock(), afresh=afresh
        )

    def _folders_of(self, paths: Iterable[str]) -> set[str]:
        """Name the folders that files lie in, but for those that went with them."""
        above = {path.rpartition("/")[0] for path in paths}
        return {path for path in above if self.tree.is_folder(path)}

    def _refresh(self, among: Collection[str] | None = None) -> list[str]:
        changes = self.catalog.refresh(self.tree, self.kinds, self.progress, among)
        return [each.path for each in changes]

    def _drain(self, *, commit: bool) -> Plan:
        """Log what hooks have noted, as many notes as there are; the plans in one."""
        done = Plan("")
        if self.spool.waiting_count() and self.ledger.rebasing:
            return done
        while self.spool.waiting_count() and (plan := self.plan_drain()).notes:
            self.ledger.write(plan, commit=commit)
            self.spool.forget(plan.notes)
            done = Plan(plan.summary, (), done.appends + plan.appends, done.notes + plan.notes)
        return done

    def _decide(self, planner: Planner) -> Plan:
        self.ledger.examine(plan := planner(self))
        return plan

    def _write(self, planner: Planner, *, commit: bool) -> Outcome:
        """Carry out a plan; give what has come of it, and what the disk has refused of it."""

        def attempt() -> Outcome:
            plan = self._decide(planner)
            kept = self.ledger.keep(plan, commit=commit)
            refused = self.ledger.write(plan, commit=commit)
            blocked = tuple(refused.values())
            return Outcome(plan.without(refused), Plan(""), blocked=blocked, **kept._asdict())

        self.refresh()
        done = self._anew(attempt)
        if done.plan.writes or done.plan.removes:
            self.refresh()
        return done

    def _render(self, done: Outcome, folders: Sequence[str], *, commit: bool) -> Outcome:
        """Write the indexes of some folders, as far as the disk lets us."""

        def attempt() -> Outcome:
            planned, blocked = self.plan_indexes(folders)
            kept = {index.path: self.tree.keep(index.path) for index in planned if index.by_hand}
            writes = (index.write._replace(bookkeeping=True) for index in planned if index.write)
            refused = self.ledger.write(Plan(done.plan.summary, tuple(writes)), commit=commit)
            every = (*done.blocked, *blocked, *refused.values())
            return done._replace(
                indexes=tuple(index for index in planned if index.path not in refused),
                blocked=tuple(dict.fromkeys(every)),
                kept=(*done.kept, *(kept[path] for path in kept if path not in refused)),
            )

        return self._anew(attempt)

    def _anew(self, attempt: Callable[[], _Done]) -> _Done:
        """Do what somebody without the lock may cross, again where he does."""
        for _ in range(TRIES - 1):
            with suppress(AtomChanged):
                return attempt()
            self.refresh()
        return attempt()

    def _settle(self, planned: Sequence[IndexPlan], open_ends: frozenset[str]) -> None:
        """Let the catalog know what the indexes now say; one that cannot is made anew.

        A folder with an open end is not done with: the next run looks at it again.
        """
        undone = {path.rpartition("/")[0] for path in open_ends}
        try:
            done = [p for p in planned if p.path.rpartition("/")[0] not in undone]
            index_plans.settle(self.tree, self.catalog, done, self.clock())
        except sqlite3.DatabaseError:  # the files are written: what is derived must not stop us
            self.catalog = self.catalog.renewed(self.kinds)

    def _finish(self, *, commit: bool) -> Finished:
        return self.ledger.finish() if commit else Finished()
