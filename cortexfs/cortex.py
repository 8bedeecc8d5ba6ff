"""Tree, catalog and history, wired once; `carry_out` is the only door to a change."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog import indexes, state
from cortexfs.catalog.catalog import Catalog
from cortexfs.catalog.indexes import day
from cortexfs.core.atom import Flaw
from cortexfs.core.plan import Plan
from cortexfs.core.settings import Settings
from cortexfs.errors import AtomChanged, CatalogBusy, CatalogFailed, HistoryFailed
from cortexfs.ledger import Finished, Ledger
from cortexfs.tree.scan import SETTINGS
from cortexfs.tree.spool import Spool
from cortexfs.tree.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from cortexfs.catalog.facts import Facts
    from cortexfs.catalog.indexes import Indexes
    from cortexfs.core.atom import Finding
    from cortexfs.core.kinds import Kinds
    from cortexfs.core.plan import IndexPlan

    Planner = Callable[["Cortex"], Plan]
    Progress = Callable[[int, int], None]

TRIES = 5
"""How often a plan is made anew because somebody without the lock wrote in between."""


class Outcome(NamedTuple):
    """What has been done.

    `commits` are the ids of the commits made, the plan's own last; `waiting` says why
    something written is not committed; `blocked` are indexes that cannot be written, `kept`
    copies of indexes that a person had written in their place.
    """

    plan: Plan
    drained: Plan
    indexes: tuple[IndexPlan, ...] = ()
    blocked: tuple[Finding, ...] = ()
    commits: tuple[str, ...] = ()
    waiting: str = ""
    kept: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Cortex:
    """One tree with all that belongs to it; the clock (aware times) is passed in."""

    tree: Tree
    settings: Settings
    catalog: Catalog
    ledger: Ledger
    clock: Callable[[], datetime]
    progress: Progress | None = None

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
        settings = _settings(tree)
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
        from cortexfs.catalog.facts import Facts  # noqa: PLC0415 - an idle run asks nothing

        return Facts(self.catalog)

    def carry_out(
        self,
        planner: Planner,
        *,
        commit: bool = True,
        render: Callable[[], Iterable[str]] | None = None,
    ) -> Outcome:
        """Lock, read, plan, write, refresh, render, commit: every change comes through here.

        `render` names the folders whose index is rendered (default: those whose atoms the
        plan writes). A file that changes between plan and write makes the plan be made anew.
        """
        with self.tree.locked():
            earlier = self._finish(commit=commit)
            drained = self._drain(commit=commit)
            plan = self._write(planner, commit=commit)
            folders = render() if render else {path.rpartition("/")[0] for path in plan.paths}
            planned, blocked = self.plan_indexes(folders)
            rendered = tuple(index.write for index in planned if index.write)
            kept = tuple(self.tree.keep(index.path) for index in planned if index.by_hand)
            self._put(Plan(plan.summary, rendered), commit=commit)
            self._settle(planned, open_ends=plan.left_out)
            made, waiting = self._finish(commit=commit)
        return Outcome(plan, drained, planned, blocked, (*earlier.commits, *made), waiting, kept)

    def drain(self, *, commit: bool = True) -> Outcome:
        """Log what hooks have noted, without a look at the rest of the tree."""
        with self.tree.locked():
            drained = self._drain(commit=commit)
            made, waiting = self._finish(commit=commit)
            left = self.ledger.rebasing if self.spool.waiting_count() else ""
        return Outcome(Plan(""), drained, commits=made, waiting=waiting or left)

    def plan_drain(self) -> Plan:
        """Decide what the oldest notes add to the logs."""
        from cortexfs.core.drain import plan_drain  # noqa: PLC0415 - most runs find no note
        from cortexfs.tree.around import around  # noqa: PLC0415

        here = around(self.tree, self.kinds)
        return plan_drain(self.spool.waiting(), here, self.tree.log)

    def catch_up(self) -> None:
        """Log what hooks have noted, where the tree can be written, and refresh."""
        if self.tree.is_writable() and self.spool.waiting_count():
            with suppress(OSError, HistoryFailed):  # a full disk: the notes wait, reading goes on
                self.drain()
        self.refresh()

    def refresh(self) -> list[str]:
        """Make the catalog agree with the tree; give the paths that had changed.

        One that turns out damaged is made anew. Raises `CatalogFailed` where that fails too.
        """
        try:
            return self._refresh()
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
        return indexes.folders(self.tree, self.kinds, projects)

    def changed_folders(self, projects: Sequence[str] | None) -> list[str]:
        """Name the folders whose index may be out of date."""
        known = state.rendered(self.catalog, day(self.clock()))
        return [folder for folder in self.folders(projects) if folder not in known]

    def plan_indexes(self, folders: Iterable[str], *, afresh: bool = False) -> Indexes:
        """Decide what these indexes should read; `afresh` as of the time that each bears."""
        return indexes.plan_indexes(
            self.tree, self.catalog, self.kinds, folders, self.clock(), afresh=afresh
        )

    def _refresh(self) -> list[str]:
        changes = self.catalog.refresh(self.tree, self.kinds, self.progress)
        return [change.path for change in changes]

    def _drain(self, *, commit: bool) -> Plan:
        """Log what hooks have noted, as many notes as there are; the plans in one."""
        done = Plan("")
        if self.spool.waiting_count() and self.ledger.rebasing:
            return done
        while self.spool.waiting_count() and (plan := self.plan_drain()).notes:
            self._put(plan, commit=commit)
            self.spool.forget(plan.notes)
            done = Plan(plan.summary, (), done.appends + plan.appends, done.notes + plan.notes)
        return done

    def _write(self, planner: Planner, *, commit: bool) -> Plan:
        for left in reversed(range(TRIES)):
            self.refresh()
            plan = planner(self)
            try:
                self._put(plan, commit=commit)
            except AtomChanged:
                if not left:
                    raise
            else:
                break
        if plan.writes:
            self.refresh()
        return plan

    def _put(self, plan: Plan, *, commit: bool) -> None:
        """Write down what is intended, then do it."""
        if commit:
            self.ledger.intend(plan)
        self.tree.write(plan.writes)
        for added in plan.appends:
            self.tree.append(added)

    def _settle(self, planned: Sequence[IndexPlan], open_ends: frozenset[str]) -> None:
        """Let the catalog know what the indexes now say; one that cannot is made anew.

        A folder with an open end is not done with: the next run looks at it again.
        """
        undone = {path.rpartition("/")[0] for path in open_ends}
        try:
            self._note_rendered([p for p in planned if p.path.rpartition("/")[0] not in undone])
        except sqlite3.DatabaseError:  # the files are written: what is derived must not stop us
            self.catalog = self.catalog.renewed(self.kinds)

    def _note_rendered(self, planned: Sequence[IndexPlan]) -> None:
        self.catalog.wrote(self.tree, planned)
        today = day(self.clock())
        known = state.rendered(self.catalog, today)
        counts = {p.path.rpartition("/")[0]: p.counts for p in planned}
        fresh = {folder: counts[folder] for folder in counts.keys() - known.keys()}
        if fresh:
            state.settle(self.catalog, fresh, today)

    def _finish(self, *, commit: bool) -> Finished:
        return self.ledger.finish() if commit else Finished()


def _settings(tree: Tree) -> Settings:
    """Read the settings; where there are none, nothing is imported to read them."""
    if not tree.holds(SETTINGS):
        return Settings()
    from cortexfs.core.settings_file import read_settings  # noqa: PLC0415

    source = tree.read(SETTINGS)
    return Settings(flaws=(source,)) if isinstance(source, Flaw) else read_settings(source.text)
