"""One open tree: the command line opens it for one command, other programs for days."""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cortexfs.core.changes.plan import WriteMode
from cortexfs.errors import HistoryFailed
from cortexfs.session.tree_reader import DEFAULT_WAIT_S, TreeReader
from cortexfs.session.view import IngestScope
from cortexfs.tree.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from contextlib import AbstractContextManager
    from datetime import datetime

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.changes.plan import ExecutedPlan, Outcome, ResultT
    from cortexfs.core.settings.settings import Settings
    from cortexfs.errors import CortexError
    from cortexfs.session.tree_repository import TreeRepository
    from cortexfs.session.tree_writer import Render, TreeWriter
    from cortexfs.session.view import View

    Decide = Callable[[View], ResultT]


@dataclass(slots=True, eq=False)
class Session:
    """One open tree, for any number of threads."""

    reader: TreeReader
    command: str = "cortexfs"
    """What a lock of ours says to others who wait for it."""
    wait_s: float = DEFAULT_WAIT_S
    """How long another writer is waited for."""
    _turn: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def open(cls, root: str, clock: Callable[[], datetime], command: str = "cortexfs") -> Session:
        """Open the tree at a root; raises `NoTree` where there is none."""
        return cls.open_unchecked(Tree.open(root).root, clock, command)

    @classmethod
    def create(cls, root: str, clock: Callable[[], datetime], command: str = "cortexfs") -> Session:
        """Open a folder that is to become a tree, making it and its repository."""
        Tree(root).create_root()
        session = cls.open_unchecked(root, clock, command)
        session.repository.create()
        return session

    @classmethod
    def open_unchecked(
        cls, root: str, clock: Callable[[], datetime], command: str = "cortexfs"
    ) -> Session:
        """Open a folder whether it is a tree or not."""
        return cls(TreeReader(Tree(root), clock), command)

    @property
    def tree(self) -> Tree:
        """The files."""
        return self.reader.tree

    @property
    def clock(self) -> Callable[[], datetime]:
        """What tells the time (aware)."""
        return self.reader.clock

    @property
    def settings(self) -> Settings:
        """The settings as `cortexfs.yaml` says them now."""
        return self.reader.settings

    @property
    def kinds(self) -> Kinds:
        """The kinds of this tree."""
        return self.settings.kinds

    @property
    def repository(self) -> TreeRepository:
        """The repository around the tree, as it is now."""
        from cortexfs.session.tree_repository import TreeRepository  # noqa: PLC0415 - many ask git nothing

        return TreeRepository(self.tree.root)

    @property
    def catalog(self) -> Catalog:
        """This thread's connection to the catalog."""
        return self.reader.catalog

    @contextmanager
    def read(
        self, intake: IngestScope = IngestScope.ATOMS, *, drain: bool = False
    ) -> Iterator[View]:
        """Give one consistent view of the tree as it is now.

        With `drain`, what hooks have noted is logged first, where the tree can be written.
        """
        if drain and self.tree.is_writable() and self.tree.spool.count_waiting():
            with suppress(OSError, HistoryFailed):  # a full disk: the notes wait, reading goes on
                self.drain_spool()
        with self.reader.read(intake) as view:
            yield view

    def view_without_refresh(self) -> AbstractContextManager[View]:
        """Give the files as they are now, and the catalog as it was brought up to date last."""
        return self.reader.view_without_refresh()

    def execute(
        self,
        decide: Decide[ResultT],
        mode: WriteMode = WriteMode.COMMIT,
        *,
        render: Render | None = None,
        intake: IngestScope = IngestScope.ATOMS,
    ) -> ExecutedPlan[ResultT]:
        """Let a planner decide on a view of the tree, and do it: every change comes through here.

        `render` names the folders whose index is rendered (default: those whose atoms the
        plan writes). A file that changes between plan and write makes the plan be made anew;
        an index, or other bookkeeping, that the disk refuses is left and reported.
        """
        from cortexfs.session.tree_writer import ChangeRequest  # noqa: PLC0415 - most commands only read

        if mode.is_dry_run:
            return self._writer().dry_run(decide, intake)
        return self._writer().execute(decide, ChangeRequest(mode, intake, render))

    def execute_all(
        self,
        decides: Iterable[Decide[ResultT]],
        summary: str,
        mode: WriteMode = WriteMode.COMMIT,
        *,
        render: Render | None = None,
        intake: IngestScope = IngestScope.ATOMS,
    ) -> tuple[list[ResultT | CortexError], Outcome]:
        """Do several things in one commit with a message of its own: an import, a burst of saves.

        Each planner sees what those before it have written. What is refused of them does not stop
        the others: in its place stands the error. Once this returns, all of it is durable.
        """
        from cortexfs.session.tree_writer import ChangeRequest  # noqa: PLC0415 - most commands only read

        return self._writer().execute_all(decides, ChangeRequest(mode, intake, render, summary))

    def drain_spool(self, mode: WriteMode = WriteMode.COMMIT) -> Outcome:
        """Log what hooks have noted, without a look at the rest of the tree."""
        return self._writer().drain_spool(mode)

    def refresh(self, among: Collection[str] | None = None) -> list[str]:
        """Make the catalog agree with the tree, or with some paths; return what had changed."""
        return self.reader.refresh(among)

    def ingest_texts(self) -> None:
        """Take in the texts that have changed: full text, links, mentions."""
        self.reader.ingest_texts()

    def remember(self, what: str, value: str) -> None:
        """Have the catalog keep a text under a word, for the next run."""
        self.reader.remember(what, value)

    @contextmanager
    def watch_mode(self) -> Iterator[None]:
        """Promise to call `refresh` with the paths that change: requests then read no stamps."""
        self.reader.is_watched = True
        try:
            yield
        finally:
            self.reader.is_watched = False

    def has_pending_work(self) -> bool:
        """Tell whether an index may be out of date, or a note waits."""
        with self.reader.view_without_refresh() as view:
            changed = view.list_stale_folders(None)
        return bool(changed or self.tree.spool.count_waiting())

    def close(self) -> None:
        """Close every thread's connection to the catalog."""
        self.reader.close()

    def _writer(self) -> TreeWriter:
        from cortexfs.session.tree_writer import TreeWriter  # noqa: PLC0415 - most commands only read

        return TreeWriter(self.reader, self.command, self.wait_s, self._turn)
