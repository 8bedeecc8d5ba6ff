"""One open tree: the command line opens it for one command, other programs for days."""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from copy import copy
from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.errors import HistoryFailed
from cortexfs.session.catalog_updates import WAIT_S
from cortexfs.session.snapshot_reader import TreeReader
from cortexfs.session.view import NeededContents
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
    from cortexfs.history.known_commits import TreeCommits
    from cortexfs.session.catalog_comparisons import CatalogComparisons
    from cortexfs.session.change_executor import TreeWriter
    from cortexfs.session.change_observer import ChangeObserver
    from cortexfs.session.deferred_commits import DeferredCommits
    from cortexfs.session.perform_change import Decide, Render
    from cortexfs.session.session_changes import SessionChanges
    from cortexfs.session.tree_repository import TreeRepository
    from cortexfs.session.view import View


class Session:
    """One open tree, for any number of threads."""

    def __init__(self, reader: TreeReader, command: str = "cortexfs") -> None:
        self.reader = reader
        self.command = command
        """The command that the lock names to processes that wait for it."""
        self.wait_s = WAIT_S
        """Seconds to wait for another writer."""
        self.drains_on_read = True
        """Whether a read may log the waiting notes first; a server logs them from time to time."""
        self._write_lock = threading.Lock()
        self._deferred: DeferredCommits | None = None
        self._observer: ChangeObserver | None = None

    @classmethod
    def open(
        cls,
        root: str,
        clock: Callable[[], datetime],
        command: str = "cortexfs",
        *,
        max_age_s: float = 0.0,
    ) -> Session:
        """Open the tree at a root; raise `NoTree` if there is none.

        With `max_age_s` a read may show the tree as it was that many seconds before. An interface
        that serves requests for days sets it, so that a request does not stat every file.
        """
        return cls(TreeReader(Tree.open(root), clock, max_age_s), command)

    @classmethod
    def create(cls, root: str, clock: Callable[[], datetime], command: str = "cortexfs") -> Session:
        """Open a folder that will become a tree, and create it and its repository."""
        from cortexfs.tree.write_files import create_root  # noqa: PLC0415 - only `init` asks

        create_root(root)
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
        """The files; raises `TreeMoved` if another folder is where the tree was."""
        self.reader.require_same_root()
        return self.reader.tree

    @property
    def clock(self) -> Callable[[], datetime]:
        """Function that returns the current time (aware)."""
        return self.reader.clock

    @property
    def settings(self) -> Settings:
        """The current settings in `cortexfs.yaml`; raises `TreeMoved` as `tree` does."""
        self.reader.require_same_root()
        return self.reader.settings

    @property
    def kinds(self) -> Kinds:
        """The kinds of this tree."""
        return self.settings.kinds

    @property
    def repository(self) -> TreeRepository:
        """The repository around the tree, in its current state."""
        from cortexfs.session.tree_repository import TreeRepository  # noqa: PLC0415 - many commands need no git

        return TreeRepository(self.tree.root)

    @property
    def catalog(self) -> Catalog:
        """This thread's connection to the catalog."""
        return self.reader.catalog

    @property
    def comparisons(self) -> CatalogComparisons:
        """How the catalog is kept like the files: by comparing all stamps, or by events."""
        return self.reader.comparisons

    @contextmanager
    def read(
        self, ingest: NeededContents = NeededContents.ATOMS, *, drain: bool = False
    ) -> Iterator[View]:
        """Yield one consistent view of the tree in its current state.

        With `drain`, the notes of the hooks are logged first, if the tree can be written.
        """
        if (
            drain
            and self.drains_on_read
            and self.tree.is_writable()
            and self.tree.spool.count_waiting()
        ):
            with suppress(OSError, HistoryFailed):  # a full disk: the notes wait, the read goes on
                self.drain_spool()
        with self.reader.read(ingest) as view:
            yield view

    def view_without_refresh(self) -> AbstractContextManager[View]:
        """Return a view of the current files, and of the catalog as last updated."""
        return self.reader.view_without_refresh()

    def execute(
        self,
        decide: Decide[ResultT],
        mode: ExecutionMode = ExecutionMode.COMMIT,
        *,
        render: Render | None = None,
        ingest: NeededContents = NeededContents.ATOMS,
    ) -> ExecutedPlan[ResultT]:
        """Run a planner on a view of the tree, and execute its plan.

        This is the only way to change the tree. `render` returns the folders whose index is
        rendered (default: those whose atoms the plan writes). If a file changes between plan and
        write, planning is repeated. An index, or another derived file, that cannot be written is
        left unchanged and reported.
        """
        from cortexfs.session.perform_change import ChangeRequest  # noqa: PLC0415 - most commands only read

        return self._make_changes().execute(decide, ChangeRequest(mode, ingest, render))

    def execute_all(
        self,
        decides: Iterable[Decide[ResultT]],
        summary: str,
        mode: ExecutionMode = ExecutionMode.COMMIT,
        *,
        render: Render | None = None,
        ingest: NeededContents = NeededContents.ATOMS,
    ) -> tuple[list[ResultT | CortexError], Outcome]:
        """Execute several plans in one commit with its own message: an import, a burst of saves.

        Each planner sees the changes of the ones before. A refused plan does not stop the others:
        its place in the result holds the error. On return all changes are durable. In a dry run
        each planner sees the tree as it is.
        """
        from cortexfs.session.perform_change import ChangeRequest  # noqa: PLC0415 - most commands only read

        request = ChangeRequest(mode, ingest, render, summary)
        return self._make_changes().execute_all(decides, request)

    def with_observer(self, observer: ChangeObserver) -> Session:
        """Return this session with an observer of the plans that it makes and executes."""
        observed = copy(self)
        observed._observer = observer  # noqa: SLF001 - its own class
        return observed

    def serve_reads(self, max_age_s: float) -> None:
        """Let reads be up to `max_age_s` seconds old, and never log notes: the server does that."""
        self.reader.max_age_s = max_age_s
        self.reader.connections.are_limited = True
        self.drains_on_read = False

    @contextmanager
    def deferred_commits(
        self, on_quiet: Callable[[], object], on_error: Callable[[str], object]
    ) -> Iterator[None]:
        """Let changes in the mode `DEFER` return before their commit; at the end all are committed.

        Elsewhere `DEFER` means `COMMIT`. `on_quiet` is called after some seconds without a change,
        and at the end: it updates what is derived. `on_error` is called with why a commit failed;
        it is tried again.
        """
        from cortexfs.session.deferred_commits import DeferredCommits  # noqa: PLC0415 - only servers defer

        self._deferred = DeferredCommits(self._make_writer, on_quiet, on_error)
        self._deferred.start()
        try:
            yield
        finally:
            deferred, self._deferred = self._deferred, None
            deferred.stop()

    def drain_spool(self, mode: ExecutionMode = ExecutionMode.COMMIT) -> Outcome:
        """Log the notes of the hooks, without reading the rest of the tree."""
        outcome = self._make_writer().drain_spool(mode)
        self.reader.last_change = object()
        return outcome

    def refresh(self, paths: Collection[str] | None = None) -> list[str]:
        """Update the catalog from the tree, or from some paths; return the changed paths."""
        return self.reader.refresh(paths)

    def ingest_texts(self) -> None:
        """Ingest the texts that have changed: full text, links, mentions."""
        self.reader.ingest_texts()

    def list_commits(self) -> TreeCommits:
        """Return the commits of the tree, newest first, without those of housekeeping."""
        return self.reader.list_commits()

    def close(self) -> None:
        """Close every connection to the catalog; one that a thread reads from, when it has read."""
        self.reader.close()

    def _make_changes(self) -> SessionChanges:
        from cortexfs.session.session_changes import SessionChanges  # noqa: PLC0415 - as above

        return SessionChanges(self._make_writer(), self._observer, self._deferred)

    def _make_writer(self) -> TreeWriter:
        from cortexfs.session.change_executor import TreeWriter  # noqa: PLC0415 - as above

        return TreeWriter(self.reader, self.command, self.wait_s, self._write_lock)
