"""Results that take long: the previous one is shown, and says so, while the next is computed."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar, cast

from cortexfs.interfaces.http.describe_failure import describe_failure, report_bug

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from datetime import datetime

    from cortexfs.interfaces.web.result_cache import ResultCache

LONG_S = 0.05
"""Seconds of a processor from which a result takes long."""
DELAY_S = 0.1
"""Seconds after which the next result is computed: the request that asked is answered first."""
MAX_KEPT = 8
"""Maximum number of results that are kept beyond their state."""
ResultT = TypeVar("ResultT")


class Shown(NamedTuple, Generic[ResultT]):
    """A result; one of an earlier state has the time at which it was current."""

    result: ResultT
    as_of: datetime | None = None


class _Computed(NamedTuple):
    result: object
    began: datetime
    seconds: float
    """Seconds of a processor that it took."""


class OlderResults:
    """The last results of what may take long, for any number of threads."""

    def __init__(self, results: ResultCache) -> None:
        self._results = results
        self._lock, self._turn = threading.Lock(), threading.Lock()
        self._last: OrderedDict[Hashable, _Computed] = OrderedDict()
        self._running: dict[Hashable, threading.Thread] = {}
        self._wanted = object()
        """Another object each time that all results are forgotten."""

    def get(self, asked: Hashable, compute: Callable[[], ResultT]) -> Shown[ResultT]:
        """Return the result in the present state, or the previous one if that took long.

        A result depends on files alone. The next one is computed in the background, one thing at a
        time; what that raises is raised again when the same is asked for the next time.
        """
        with self._lock:
            last = self._last.get(asked)
        if last is None or last.seconds < LONG_S or self._results.has(asked):
            return Shown(cast("ResultT", self._compute(asked, compute).result))
        self._start(asked, compute)
        return Shown(cast("ResultT", last.result), last.began)

    def forget(self) -> None:
        """Forget all results: the next ones are those of the present state."""
        with self._lock:
            self._wanted = object()
            self._last.clear()

    def finish(self) -> None:
        """Wait until nothing is computed in the background."""
        with self._lock:
            running = [*self._running.values()]
        for each in running:
            each.join()

    def _compute(self, asked: Hashable, compute: Callable[[], object]) -> _Computed:
        def measure() -> _Computed:
            now, began = self._results.session.clock(), time.thread_time()
            return _Computed(compute(), now, time.thread_time() - began)

        wanted = self._wanted
        computed = self._results.get(asked, measure, of_files_alone=True)
        with self._lock:
            if wanted is self._wanted:
                self._last[asked] = computed
                self._last.move_to_end(asked)
            while len(self._last) > MAX_KEPT:
                self._last.popitem(last=False)
        return computed

    def _start(self, asked: Hashable, compute: Callable[[], object]) -> None:
        """Compute in a thread, unless one does."""
        with self._lock:
            if asked not in self._running:
                thread = threading.Thread(
                    target=self._run, args=(asked, compute), name="cortexfs-result", daemon=True
                )
                self._running[asked] = thread
                thread.start()

    def _run(self, asked: Hashable, compute: Callable[[], object]) -> None:
        try:
            threading.Event().wait(DELAY_S)
            with self._turn:
                self._compute(asked, compute)
        except Exception as error:  # noqa: BLE001 - the outermost frame of the thread
            if describe_failure(error) is None:
                report_bug(self._results.session, error)
            with self._lock:
                self._last.pop(asked, None)
        finally:
            with self._lock:
                del self._running[asked]
