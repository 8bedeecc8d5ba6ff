"""Ask the language model several questions at once, within all limits."""

from __future__ import annotations

import os
import queue
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.language_model.model_types import (
    GUARD_VARIABLE,
    FailureReason,
    ModelAnswer,
    ModelFailure,
)
from cortexfs.language_model import state_folder
from cortexfs.language_model.ask_model import (
    answer_locked,
    find_stored,
    load_settings,
    make_call,
)
from cortexfs.language_model.limited_calls import SYSTEM_TIMING, Timing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cortexfs.core.language_model.model_settings import ModelSettings
    from cortexfs.core.language_model.model_types import ModelRequest
    from cortexfs.language_model.limited_calls import Call

    _Result = tuple[int, ModelAnswer | ModelFailure | Exception | None]

SECONDS_PER_MINUTE = 60
_ENDS_RUN = {
    FailureReason.BUDGET_USED,
    FailureReason.PAUSED,
    FailureReason.INVALID_SETTINGS,
    FailureReason.STATE_UNUSABLE,
}
"""Failures after which no further question is asked."""
_RETRIED = {
    FailureReason.TIMEOUT,
    FailureReason.BROKEN_CONNECTION,
    FailureReason.BAD_STATUS,
    FailureReason.COMMAND_FAILED,
}


class ParallelLimits(NamedTuple):
    """How many questions are on their way, and begin in a minute (0: no bound), at most.

    `retries` is how often a question that failed is asked again, beside what each call tries.
    """

    parallel: int = 1
    per_minute: int = 0
    retries: int = 0


def ask_in_parallel(
    requests: Sequence[ModelRequest],
    environ: Mapping[str, str],
    limits: ParallelLimits,
    receive: Callable[[int, ModelAnswer | ModelFailure], None],
    *,
    timing: Timing = SYSTEM_TIMING,
) -> ModelFailure | None:
    """Ask questions, and call `receive` with the number of each, from 0, and what came back.

    `receive` is called in this thread, as answers come. Returns why questions were not asked; None
    if all were.
    """
    settings = load_settings(environ)
    if isinstance(settings, ModelFailure):
        return settings
    if environ.get(GUARD_VARIABLE):
        return ModelFailure(FailureReason.INSIDE_MODEL, "this runs inside a model")
    try:
        with (
            state_folder.open_state_folder(environ) as folder_fd,
            state_folder.lock_calls(folder_fd) as is_ours,
        ):
            if not is_ours:
                return ModelFailure(FailureReason.BUSY, "another process asks the model")
            own_fd = os.dup(folder_fd)  # it stays open for threads that an interruption leaves
            ended = _Work(settings, environ, limits, timing, own_fd).run(requests, receive)
            os.close(own_fd)
            return ended
    except OSError as error:
        message = f"the state of the calls cannot be kept: {error.strerror}"
        return ModelFailure(FailureReason.STATE_UNUSABLE, message)


def _receive(
    number: int,
    result: ModelAnswer | ModelFailure | Exception | None,
    receive: Callable[[int, ModelAnswer | ModelFailure], None],
) -> None:
    """Pass on what came back, and raise the error of a thread."""
    if isinstance(result, Exception):
        raise result
    if result is not None:
        receive(number, result)


class _Work:
    """Questions that are asked in threads; the first failure that ends the run ends it for all."""

    def __init__(
        self,
        settings: ModelSettings,
        environ: Mapping[str, str],
        limits: ParallelLimits,
        timing: Timing,
        folder_fd: int,
    ) -> None:
        self._settings = settings
        self._environ = environ
        self._limits = limits
        self._timing = timing
        self._folder_fd = folder_fd
        self._lock = threading.Lock()
        self._next_start = 0.0
        self._end: ModelFailure | None = None

    def run(
        self,
        requests: Sequence[ModelRequest],
        receive: Callable[[int, ModelAnswer | ModelFailure], None],
    ) -> ModelFailure | None:
        """Ask all questions; return why some were not asked.

        The threads do not keep an interrupted process alive.
        """
        waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
        results: queue.SimpleQueue[_Result] = queue.SimpleQueue()
        for number in range(len(requests)):
            waiting.put(number)

        def work() -> None:
            with suppress(queue.Empty):
                while True:
                    number = waiting.get_nowait()
                    results.put((number, self._ask_safely(requests[number])))

        for _ in range(min(max(1, self._limits.parallel), len(requests))):
            threading.Thread(target=work, daemon=True).start()
        try:
            for _ in requests:
                _receive(*results.get(), receive)
        except BaseException:
            self._end = ModelFailure(FailureReason.BUSY, "interrupted")
            raise
        return self._end

    def _ask_safely(self, request: ModelRequest) -> ModelAnswer | ModelFailure | Exception | None:
        """Return what comes back; an error is raised again in the thread that waits."""
        try:
            return self._ask(request)
        except Exception as error:  # noqa: BLE001 - or the thread that waits would wait forever
            return error

    def _ask(self, request: ModelRequest) -> ModelAnswer | ModelFailure | None:
        """Return what comes back; None if the run has ended before."""
        result: ModelAnswer | ModelFailure | None = None
        for _ in range(self._limits.retries + 1):
            if self._end:
                return result
            if stored := find_stored(self._make_call(request)):
                return stored
            self._wait_for_turn()
            result = answer_locked(self._make_call(request))
            if isinstance(result, ModelFailure) and result.reason in _ENDS_RUN:
                self._end = self._end or result
                return None
            if isinstance(result, ModelAnswer) or result.reason not in _RETRIED:
                return result
        return result

    def _make_call(self, request: ModelRequest) -> Call:
        return make_call(self._settings, request, self._environ, self._timing, self._folder_fd)

    def _wait_for_turn(self) -> None:
        """Wait until the next question may begin."""
        if not self._limits.per_minute:
            return
        with self._lock:
            now = self._timing.monotonic()
            start = max(now, self._next_start)
            self._next_start = start + SECONDS_PER_MINUTE / self._limits.per_minute
        if start > now:
            self._timing.sleep(start - now)
