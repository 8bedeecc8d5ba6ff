"""Tree, catalog and history, wired once; `carry_out` is the only door to a change."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortexfs.catalog import questions
from cortexfs.catalog.catalog import Catalog
from cortexfs.core.atom import Finding
from cortexfs.core.places import INDEX, folder_of, place
from cortexfs.core.plan import Plan
from cortexfs.core.plan_index import IndexPlan, as_of, plan_index
from cortexfs.core.settings import Settings, read_settings
from cortexfs.errors import AtomChanged, OutsideTree
from cortexfs.tree.preferences import commit_in
from cortexfs.tree.journal import WHATEVER, Intent, Journal, digest
from cortexfs.tree.scan import SETTINGS
from cortexfs.tree.spool import Spool
from cortexfs.tree.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from cortexfs.core.atom import Atom, Ref
    from cortexfs.core.entry import Entry
    from cortexfs.core.kinds import Kind, Kinds
    from cortexfs.core.looks.surroundings import Surroundings
    from cortexfs.history.compare import Changes
    from cortexfs.history import History

    Planner = Callable[["Cortex"], Plan]
    Progress = Callable[[int, int], None]

TRIES = 5
"""How often a plan is made anew because somebody without the lock wrote in between."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What has been done.

    `commits` are the ids of the commits made, the plan's own last; `uncommitted` says why
    something written is not committed; `blocked` are indexes that cannot be written.
    """

    plan: Plan
    drained: Plan
    indexes: tuple[IndexPlan, ...] = ()
    blocked: tuple[Finding, ...] = ()
    commits: tuple[str, ...] = ()
    uncommitted: str = ""


@dataclass(slots=True)
class Cortex:
    """One tree with all that belongs to it; the clock (aware times) is passed in."""

    tree: Tree
    settings: Settings
    catalog: Catalog
    clock: Callable[[], datetime]
    progress: Progress | None = None
    _history: History | None = None
    _looked: bool = False

    @classmethod
    def open(cls, root: str, clock: Callable[[], datetime]) -> Cortex:
        """Open the tree at a root; raises `NoTree` where there is none."""
        return cls.bare(Tree.at(root).root, clock)

    @classmethod
    def begin(cls, root: str, clock: Callable[[], datetime]) -> Cortex:
        """Open a folder that is to become a tree, making it and its repository."""
        Tree(root).make()
        cortex = cls.bare(root, clock)
        if cortex.history is None:
            from cortexfs.history import init  # noqa: PLC0415 - once in a tree's life
            from cortexfs.history.git import program  # noqa: PLC0415

            cortex._history = init(root) if program() else None
        return cortex

    @classmethod
    def bare(cls, root: str, clock: Callable[[], datetime]) -> Cortex:
        """Open a folder whether it is a tree or not."""
        tree = Tree(root)
        settings = read_settings(tree.text(SETTINGS) or "")
        return cls(tree, settings, Catalog.open(tree.prepare(), settings.kinds), clock)

    @property
    def kinds(self) -> Kinds:
        """The kinds of this tree."""
        return self.settings.kinds

    @property
    def history(self) -> History | None:
        """The repository around the tree; None without git."""
        if not self._looked:
            from cortexfs.history import find  # noqa: PLC0415 - most commands need it not

            found = find(self.tree.root)
            if found and found.far and found.top in commit_in(os.environ):
                found = find(self.tree.root, allow_enclosing=True)
            self._history, self._looked = found, True
        return self._history

    @property
    def commits(self) -> bool:
        """Tell whether there is a repository, and it is ours to commit in."""
        history = self.history
        return history is not None and (not history.far or history.allow_enclosing)

    @property
    def spool(self) -> Spool:
        """Where hooks leave their notes."""
        return Spool(self.tree.root)

    def carry_out(
        self,
        planner: Planner,
        *,
        commit: bool = True,
        indexes: Callable[[], Iterable[str]] | None = None,
    ) -> Outcome:
        """Lock, read, plan, write, refresh, render, commit: every change comes through here.

        `indexes` names the folders to render (default: those whose atoms the plan writes).
        A file that changes between plan and write makes the plan be made anew.
        """
        with self.tree.locked():
            commits = self._finish()[0] if commit else ()
            drained = self._drain(commit=commit)
            plan = self._write(planner, commit=commit)
            if plan.writes:
                self.refresh()
            folders = indexes() if indexes else {path.rpartition("/")[0] for path in plan.paths}
            planned, blocked = self.plan_indexes(folders)
            self._put(Plan(plan.summary, tuple(p.write for p in planned if p.write)), commit=commit)
            self._settle(planned)
            made, why_not = self._finish() if commit else ((), "")
            return Outcome(plan, drained, planned, blocked, (*commits, *made), why_not)

    def drain(self, *, commit: bool = True) -> Outcome:
        """Log what hooks have noted, without a look at the rest of the tree."""
        with self.tree.locked():
            drained = self._drain(commit=commit)
            made, why_not = self._finish() if commit else ((), "")
            return Outcome(Plan(""), drained, commits=made, uncommitted=why_not)

    def changes(self) -> list[str]:
        """Refresh the catalog, and give the paths that had changed."""
        return [change.path for change in self.catalog.refresh(self.tree, self.kinds)]

    def is_stale(self) -> bool:
        """Tell whether an index may be out of date, or a note waits."""
        return bool(self.changed_folders(None) or self.spool.count())

    def refresh(self) -> None:
        """Make the catalog agree with the tree; one that turns out damaged is made anew."""
        try:
            self.catalog.refresh(self.tree, self.kinds, self.progress)
        except sqlite3.DatabaseError:
            self.catalog = self.catalog.renewed(self.kinds)
            self.catalog.refresh(self.tree, self.kinds, self.progress)

    def folders(self, projects: Sequence[str] | None = None) -> Iterator[str]:
        """Name the existing folders that have an index, of some projects or of all."""
        for project in self.tree.projects() if projects is None else projects:
            present = set(self.tree.names(f"projects/{project}"))
            for kind in self.kinds:
                if kind.indexed and kind.folder in present and "project" in kind.scopes:
                    yield folder_of(project, kind)

    def plan_indexes(
        self, folders: Iterable[str], *, afresh: bool = False
    ) -> tuple[tuple[IndexPlan, ...], tuple[Finding, ...]]:
        """Decide what the indexes of these folders should read.

        `afresh` renders each, as of the time that it bears, whatever the catalog remembers.
        """
        known = {} if afresh else questions.rendered(self.catalog, self._day())
        planned: list[IndexPlan] = []
        blocked: list[Finding] = []
        for folder in sorted(folders):
            where = place(f"{folder}/x.md", self.kinds)
            if where is None or not where.kind.indexed:
                continue
            path = f"{folder}/{INDEX}"
            if folder in known:
                planned.append(IndexPlan(path, known[folder], None))
                continue
            try:
                planned.append(self._plan_index(path, where.kind, where.project, afresh=afresh))
            except (OSError, OutsideTree):
                blocked.append(Finding(path, "not-a-file", "the index cannot be written here"))
        return tuple(planned), tuple(blocked)

    def changed_folders(self, projects: Sequence[str] | None) -> list[str]:
        """Name the folders whose index may be out of date."""
        known = questions.rendered(self.catalog, self._day())
        return [folder for folder in self.folders(projects) if folder not in known]

    def uncommitted(self, paths: list[str]) -> Changes:
        """Tell which of these files the user has changed and not committed, or never added."""
        from cortexfs.history.compare import Changes  # noqa: PLC0415 - only to write

        if self.history is None or not paths:
            return Changes(frozenset(), frozenset())
        return self.history.changed(paths)

    def all_changes(self) -> list[str]:
        """List the files that differ from the last commit."""
        return self.history.all_changes() if self.history else []

    def entries(self, folder: str) -> list[Entry]:
        """Give the atoms of a folder that its index lists, each with its refs."""
        return questions.entries(self.catalog, folder)

    def all_entries(self) -> Iterator[Entry]:
        """Give every atom that has an id, with its refs."""
        return questions.all_entries(self.catalog)

    def atoms(self) -> list[Atom]:
        """Give every atom with all that is known of it, in path order."""
        return questions.atoms(self.catalog)

    def refs(self) -> list[tuple[Ref, str]]:
        """Give every ref with the path of its file."""
        return questions.refs(self.catalog)

    def torn_lines(self) -> list[Finding]:
        """Give a finding for each unreadable line of the access logs."""
        return questions.torn_lines(self.catalog)

    def around(self) -> Surroundings:
        """Tell what a payload's paths are read against."""
        from cortexfs.core.looks.surroundings import Surroundings  # noqa: PLC0415 - as `_drain`

        root, home = self.tree.root, os.path.expanduser("~")

        def atom(path: str) -> tuple[str, str] | None:
            where = place(path, self.kinds)
            return (
                (where.project, where.name) if where and where.project and where.claimed else None
            )

        def folder(path: str) -> str | None:
            where = place(f"{path}/x.md", self.kinds)
            return where.project if where and where.project and self.tree.names(path) else None

        return Surroundings(
            roots=tuple(dict.fromkeys((root, os.path.realpath(root)))),
            homes=tuple(dict.fromkeys((home, os.path.realpath(home)))),
            real=os.path.realpath,
            names=self.tree.names,
            is_file=self.tree.is_file,
            atom=atom,
            folder=folder,
        )

    def _plan_index(self, path: str, kind: Kind, project: str, *, afresh: bool) -> IndexPlan:
        folder = path.rpartition("/")[0]
        present = self.tree.text(path)
        now = as_of(present, self.clock()) if afresh else self.clock()
        return plan_index(
            path,
            kind=kind,
            project=project,
            entries=self.entries(folder),
            unreadable=questions.unreadable(self.catalog, folder),
            present=present,
            now=now,
        )

    def _drain(self, *, commit: bool) -> Plan:
        """Log what hooks have noted, as many notes as there are; the plans in one."""
        done = Plan("")
        while notes := self.spool.waiting():
            from cortexfs.core.drain import plan_drain  # noqa: PLC0415 - most runs find no note

            plan = plan_drain(notes, self.around(), lambda path: self.tree.text(path) or "")
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
                return plan
        raise AssertionError  # pragma: no cover - the last try returns or raises

    def _put(self, plan: Plan, *, commit: bool) -> None:
        """Write down what is intended, then do it."""
        if commit and self.commits and plan.paths:
            digests = {w.path: digest(w.text.encode()) for w in plan.writes}
            digests |= dict.fromkeys((*(a.path for a in plan.appends), *plan.adopted), WHATEVER)
            Journal(self.tree.root).intend(
                Intent(plan.summary, {path: digests[path] for path in plan.paths})
            )
        self.tree.write(plan.writes)
        for added in plan.appends:
            self.tree.append(added)

    def _settle(self, planned: Sequence[IndexPlan]) -> None:
        """Let the catalog know what the indexes now say."""
        self.catalog.reread(self.tree, self.kinds, [p.path for p in planned if p.write])
        counts = {p.path.rpartition("/")[0]: p.counts for p in planned}
        questions.settle(self.catalog, counts, self._day())

    def _finish(self) -> tuple[tuple[str, ...], str]:
        """Commit whatever the journal says is not: ours of now, and a killed run's."""
        journal = Journal(self.tree.root)
        by_message: dict[str, list[str]] = {}
        for intent in journal.open():
            paths = by_message.setdefault(intent.message, [])
            paths += [path for path, known in intent.digests.items() if self._is(path, known)]
        made = []
        for message, paths in by_message.items():
            done = self._commit(message, paths)
            if isinstance(done, str):
                return tuple(made), done
            made += done
        if by_message:
            journal.close()
        return tuple(made), ""

    def _commit(self, message: str, paths: list[str]) -> list[str] | str:
        """Give the id of the commit made, if any; why it has to wait, if it must."""
        from cortexfs.history import Committed  # noqa: PLC0415 - only to write

        if self.history is None or not self.commits or not paths:
            return []
        done = self.history.commit(message, list(dict.fromkeys(paths)))
        if isinstance(done, Committed):
            return [done.id]
        return done.reason if done.again else []

    def _is(self, path: str, known: str) -> bool:
        """Tell whether a file still reads as we wrote it."""
        try:
            return known == WHATEVER or digest(self.tree.content(path)) == known
        except (OSError, OutsideTree):
            return False

    def _day(self) -> str:
        return self.clock().date().isoformat()
