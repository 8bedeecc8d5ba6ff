"""The last results of operations, kept while the tree does not change."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from cortexfs.operations.read_tree_state import TreeState
    from cortexfs.session.session import Session

MAX_RESULTS = 64
"""Maximum number of results that are kept."""
ResultT = TypeVar("ResultT")


class ResultCache:
    """Results by what was asked and by the state of the tree, for any number of threads."""

    def __init__(self, session: Session, tree: TreeState) -> None:
        self._session, self.tree = session, tree
        self._lock = threading.Lock()
        self._files: object = None
        """The state of the files, and the day, of all results."""
        self._results: OrderedDict[Hashable, object] = OrderedDict()

    def get(
        self, asked: Hashable, compute: Callable[[], ResultT], *, of_files_alone: bool = False
    ) -> ResultT:
        """Return what `compute` returns in the present state; what it raises is not kept.

        A result `of_files_alone` does not depend on commits.
        """
        files = self.tree.read_files(), self._session.clock().date()
        key = ("" if of_files_alone else self.tree.read_last_commit(), asked)
        with self._lock:
            if files != self._files:  # what was computed before is never asked for again
                self._files = files
                self._results.clear()
            if key in self._results:
                self._results.move_to_end(key)
                return cast("ResultT", self._results[key])
        result = compute()
        with self._lock:
            if files == self._files:
                self._results[key] = result
            while len(self._results) > MAX_RESULTS:
                self._results.popitem(last=False)
        return result
