"""One open tree: the command line opens it for one command, other programs for days."""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cortexfs.core.changes.plan import Mode
from cortexfs.errors import HistoryFailed
from cortexfs.session.reader import WAIT_S, Reader
from cortexfs.session.view import Intake
from cortexfs.tree.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from contextlib import AbstractContextManager
    from datetime import datetime

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.changes.plan import Decided, Executed, Outcome
    from cortexfs.core.settings.settings import Settings
    from cortexfs.errors import CortexError
    from cortexfs.session.repository import Repository
    from cortexfs.session.view import View
    from cortexfs.session.writer import Render, Writer

    Decide = Callable[[View], Decided]


@dataclass(slots=True, eq=False)
class Session:
    """One open tree, for any number of threads."""

    reader: Reader
    command: str = "cortexfs"
    """What a lock of ours says to others who wait for it."""
    wait_s: float = WAIT_S
    """How long another writer is waited for."""
    _turn: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def open(cls, root: str, clock: Callable[[], datetime], command: str = "cortexfs") -> Session:
        """Open the tree at a root; raises `NoTree` where there is none."""
        return cls.bare(Tree.at(root).root, clock, command)

    @classmethod
    def create(cls, root: str, clock: Callable[[], datetime], command: str = "cortexfs") -> Session:
        """Open a folder that is to become a tree, making it and its repository."""
        Tree(root).make()
        session = cls.bare(root, clock, command)
        session.repository.create()
        return session

    @classmethod
    def bare(cls, root: str, clock: Callable[[], datetime], command: str = "cortexfs") -> Session:
        """Open a folder whether it is a tree or not."""
        return cls(Reader(Tree(root), clock), command)

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
    def repository(self) -> Repository:
        """The repository around the tree, as it is now."""
        from cortexfs.session.repository import Repository  # noqa: PLC0415 - many ask git nothing

        return Repository(self.tree.root)

    @property
    def catalog(self) -> Catalog:
        """This thread's connection to the catalog."""
        return self.reader.catalog

    @contextmanager
    def read(self, intake: Intake = Intake.ATOMS, *, drain: bool = False) -> Iterator[View]:
        """Give one consistent view of the tree as it is now.

        With `drain`, what hooks have noted is logged first, where the tree can be written.
        """
        if drain and self.tree.is_writable() and self.tree.spool.waiting_count():
            with suppress(OSError, HistoryFailed):  # a full disk: the notes wait, reading goes on
                self.drain()
        with self.reader.read(intake) as view:
            yield view

    def view(self) -> AbstractContextManager[View]:
        """Give the files as they are now, and the catalog as it was brought up to date last."""
        return self.reader.view()

    def execute(
        self,
        decide: Decide[Decided],
        mode: Mode = Mode.COMMIT,
        *,
        render: Render | None = None,
        intake: Intake = Intake.ATOMS,
    ) -> Executed[Decided]:
        """Let a planner decide on a view of the tree, and do it: every change comes through here.

        `render` names the folders whose index is rendered (default: those whose atoms the
        plan writes). A file that changes between plan and write makes the plan be made anew;
        an index, or other bookkeeping, that the disk refuses is left and reported.
        """
        from cortexfs.session.writer import Request  # noqa: PLC0415 - most commands only read

        if mode.is_dry_run:
            return self._writer().rehearse(decide, intake)
        return self._writer().execute(decide, Request(mode, intake, render))

    def execute_all(
        self,
        decides: Iterable[Decide[Decided]],
        summary: str,
        mode: Mode = Mode.COMMIT,
        *,
        render: Render | None = None,
        intake: Intake = Intake.ATOMS,
    ) -> tuple[list[Decided | CortexError], Outcome]:
        """Do several things in one commit with a message of its own: an import, a burst of saves.

        Each planner sees what those before it have written. What is refused of them does not stop
        the others: in its place stands the error. Once this returns, all of it is durable.
        """
        from cortexfs.session.writer import Request  # noqa: PLC0415 - most commands only read

        return self._writer().execute_all(decides, Request(mode, intake, render, summary))

    def drain(self, mode: Mode = Mode.COMMIT) -> Outcome:
        """Log what hooks have noted, without a look at the rest of the tree."""
        return self._writer().drain(mode)

    def refresh(self, among: Collection[str] | None = None) -> list[str]:
        """Make the catalog agree with the tree, or with some paths; return what had changed."""
        return self.reader.refresh(among)

    def take_in(self) -> None:
        """Take in the texts that have changed: full text, links, mentions."""
        self.reader.take_in()

    def remember(self, what: str, value: str) -> None:
        """Have the catalog keep a text under a word, for the next run."""
        self.reader.remember(what, value)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Promise to call `refresh` with the paths that change: requests then read no stamps."""
        self.reader.watched = True
        try:
            yield
        finally:
            self.reader.watched = False

    def is_stale(self) -> bool:
        """Tell whether an index may be out of date, or a note waits."""
        with self.reader.view() as view:
            changed = view.changed_folders(None)
        return bool(changed or self.tree.spool.waiting_count())

    def close(self) -> None:
        """Close every thread's connection to the catalog."""
        self.reader.close()

    def _writer(self) -> Writer:
        from cortexfs.session.writer import Writer  # noqa: PLC0415 - most commands only read

        return Writer(self.reader, self.command, self.wait_s, self._turn)
