"""Commit the deferred changes of a long-lived process in a thread, at most once a second."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cortexfs.errors import CortexError

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.session.change_executor import TreeWriter

COMMIT_INTERVAL_S = 1.0
"""Least seconds between two commits of deferred changes, of all processes together."""
QUIET_S = 5.0
"""Seconds without a change after which `on_quiet` is called."""
RETRY_S = 5.0
"""Seconds after which a commit that failed is tried again; the journal keeps the changes."""


@dataclass(slots=True, eq=False)
class DeferredCommits:
    """The thread that commits deferred changes.

    `on_quiet` is called after some seconds without a change: it updates what is derived.
    `on_error` is called when an attempt fails, unless the last one failed for the same reason.
    """

    make_writer: Callable[[], TreeWriter]
    on_quiet: Callable[[], object]
    on_error: Callable[[str], object]
    _last_error: str = ""
    """Why the last attempt failed; empty if it did not."""
    _changed: threading.Event = field(default_factory=threading.Event)
    _stopping: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _is_derived_stale: bool = False
    """Whether something was changed since `on_quiet` was called."""

    def start(self) -> None:
        """Start the thread."""
        self._thread = threading.Thread(target=self._run, name="cortexfs-commit", daemon=True)
        self._thread.start()

    def note_change(self) -> None:
        """Take notice that a deferred change is in the journal."""
        self._is_derived_stale = True
        self._changed.set()

    def stop(self) -> None:
        """End the thread, and commit everything that is left."""
        self._stopping.set()
        self._changed.set()
        if self._thread:
            self._thread.join()
        self._attempt(lambda: self.make_writer().commit_deferred(0.0, time.time))
        self._update_derived()

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._changed.wait()
            self._changed.clear()
            self._stopping.wait(COMMIT_INTERVAL_S)
            while not self._stopping.is_set() and not self._attempt(self._commit):
                self._stopping.wait(RETRY_S if self._last_error else COMMIT_INTERVAL_S / 10)
            if not self._stopping.is_set() and not self._changed.wait(QUIET_S):
                self._update_derived()

    def _update_derived(self) -> None:
        if self._is_derived_stale:
            self._is_derived_stale = False
            self._attempt(self.on_quiet)

    def _commit(self) -> bool:
        return self.make_writer().commit_deferred(COMMIT_INTERVAL_S, time.time)

    def _attempt(self, step: Callable[[], object]) -> bool:
        """Return what a step returns; on an error, which is reported, False."""
        known, self._last_error = self._last_error, ""
        try:
            return bool(step())
        except (CortexError, OSError) as error:
            self._last_error = str(error)
        except Exception as error:  # noqa: BLE001 - the outermost frame: a bug must not end the thread
            self._last_error = f"{type(error).__name__}: {error}"
        if self._last_error != known:
            self.on_error(self._last_error)
        return False
