"""The last results of operations, kept while the tree does not change."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from cortexfs.operations.read_tree_state import TreeState
    from cortexfs.session.session import Session

    Key = tuple[object, str, Hashable]

MAX_RESULTS = 64
"""Maximum number of results that are kept."""
ResultT = TypeVar("ResultT")


class ResultCache:
    """Results by what was asked and by the state of the tree, for any number of threads."""

    def __init__(self, session: Session, tree: TreeState) -> None:
        self.session, self.tree = session, tree
        self._lock = threading.Lock()
        self._files: object = None
        """The state of the files, and the day, of all results."""
        self._results: OrderedDict[Key, object] = OrderedDict()
        self._running: dict[Key, threading.Event] = {}
        """What is computed now; each event is set when that has ended."""

    def get(
        self, asked: Hashable, compute: Callable[[], ResultT], *, of_files_alone: bool = False
    ) -> ResultT:
        """Return what `compute` returns in the present state; what it raises is not kept.

        A result `of_files_alone` does not depend on commits. Of threads that ask for the same, one
        computes it, and the others wait.
        """
        while True:
            key = self._make_key(asked, of_files_alone=of_files_alone)
            with self._lock:
                if self._find(key):
                    return cast("ResultT", self._results[key])
                if (running := self._running.get(key)) is None:
                    self._running[key] = running = threading.Event()
                    break
            running.wait()
        try:
            result = compute()
            self._keep(key, result)
        finally:
            with self._lock:
                del self._running[key]
            running.set()
        return result

    def has(self, asked: Hashable) -> bool:
        """Return whether a result of files alone is known in the present state."""
        key = self._make_key(asked, of_files_alone=True)
        with self._lock:
            return self._find(key)

    def _make_key(self, asked: Hashable, *, of_files_alone: bool) -> Key:
        files = self.tree.read_files(), self.session.clock().date()
        return files, "" if of_files_alone else self.tree.read_last_commit(), asked

    def _find(self, key: Key) -> bool:
        """Return whether there is a result; those of another state are forgotten."""
        if key[0] != self._files:  # what was computed before is never asked for again
            self._files = key[0]
            self._results.clear()
        if key in self._results:
            self._results.move_to_end(key)
            return True
        return False

    def _keep(self, key: Key, result: object) -> None:
        with self._lock:
            if key[0] == self._files:
                self._results[key] = result
            while len(self._results) > MAX_RESULTS:
                self._results.popitem(last=False)
