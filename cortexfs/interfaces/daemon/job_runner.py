"""Run jobs in threads: one thread for each job, which outlives a run; nothing waits for it."""

from __future__ import annotations

import queue
import threading
import time
import traceback
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import CortexError, TreeMoved
from cortexfs.session.crash_report import write_crash_report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    Task = Callable[[], object]


class JobResult(NamedTuple):
    """How one run ended: what it returned, or its error, and the seconds that it took."""

    name: str
    value: object
    error: str
    took_s: float
    is_tree_moved: bool = False


class RunningJob(NamedTuple):
    """A job that runs since `began`, and until when it may (on the boot clock)."""

    began: float
    deadline: float


@dataclass(slots=True, eq=False)
class JobRunner:
    """The threads of the jobs, and the results that were not collected yet."""

    root: str
    clock: Callable[[], datetime]
    on_finish: Callable[[], object]
    """Called in the thread of a job that has ended."""
    running: dict[str, RunningJob] = field(default_factory=dict)
    _overdue: set[str] = field(default_factory=set)
    """Jobs past their deadline, which have been reported; their end says nothing any more."""
    _results: deque[JobResult] = field(default_factory=deque)
    _tasks: dict[str, queue.SimpleQueue[Task]] = field(default_factory=dict)

    def is_busy(self, name: str) -> bool:
        """Return whether the last run of a job goes on, also if it was given up."""
        return name in self.running or name in self._overdue

    def start(self, name: str, task: Task, now: float, timeout_s: float) -> None:
        """Start a job that is not busy."""
        self.running[name] = RunningJob(now, now + timeout_s)
        if name not in self._tasks:
            tasks: queue.SimpleQueue[Task] = queue.SimpleQueue()
            self._tasks[name] = tasks
            work = threading.Thread(
                target=self._work, args=(name, tasks), name=f"cortexfs-{name}", daemon=True
            )
            work.start()
        self._tasks[name].put(task)

    def collect(self, now: float) -> Iterator[JobResult]:
        """Yield the results since the last call, and a failure for each job past its deadline."""
        with suppress(IndexError):
            while True:
                result = self._results.popleft()
                if result.name in self._overdue and not result.is_tree_moved:
                    self._overdue.discard(result.name)
                else:
                    self.running.pop(result.name, None)
                    yield result
        for name, run in [*self.running.items()]:
            if now >= run.deadline:
                del self.running[name]
                self._overdue.add(name)
                took_s = now - run.began
                yield JobResult(name, None, f"not finished after {took_s:.0f} s", took_s)

    def extend_deadlines(self, seconds: float) -> None:
        """Give running jobs more time: for so long the whole process was suspended."""
        for name, run in self.running.items():
            self.running[name] = run._replace(deadline=run.deadline + seconds)

    def find_next_deadline(self) -> float | None:
        """Return when the first running job is given up."""
        return min((run.deadline for run in self.running.values()), default=None)

    @property
    def is_idle(self) -> bool:
        """Whether no job runs, also none that was given up."""
        return not (self.running or self._overdue)

    def _work(self, name: str, tasks: queue.SimpleQueue[Task]) -> None:
        while True:
            task = tasks.get()
            self._results.append(self._run(name, task))
            self.on_finish()

    def _run(self, name: str, task: Task) -> JobResult:
        began = time.monotonic()

        def end(value: object, error: str = "", *, is_tree_moved: bool = False) -> JobResult:
            return JobResult(name, value, error, time.monotonic() - began, is_tree_moved)

        try:
            return end(task())
        except TreeMoved as error:
            return end(None, str(error), is_tree_moved=True)
        except (CortexError, OSError) as error:
            return end(None, str(error))
        except Exception as error:  # noqa: BLE001 - the outermost frame: a bug must not end the daemon
            path = write_crash_report(self.root, traceback.format_exc(), self.clock())
            return end(None, f"bug: {type(error).__name__}; report: {path}")
