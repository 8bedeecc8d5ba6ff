"""Threads for everything that reads SQLite, git or files: the event loop never waits for them."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, TypeVar

from cortexfs.errors import CortexError

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.session.session import Session

    ResultT = TypeVar("ResultT")

READERS = 8
"""Threads that read: some may still be busy with what nobody wants any more."""
INDEX_AFTER_S = 0.5
"""Seconds after the start in which the first page has the processor for itself."""
INTERVAL_S = 0.5
"""Seconds between two looks at the events of the tree."""


class BackgroundWork:
    """Threads for reads, one for changes, and one that notices changes of the tree."""

    def __init__(self) -> None:
        self._readers = ThreadPoolExecutor(READERS, "cortexfs-read")
        self._writer = ThreadPoolExecutor(1, "cortexfs-change")
        self._stopping = Event()

    def read(self, load: Callable[[], ResultT]) -> asyncio.Future[ResultT]:
        """Run a function that reads."""
        return asyncio.get_running_loop().run_in_executor(self._readers, load)

    async def change(self, execute: Callable[[], ResultT]) -> ResultT:
        """Run a function that changes something, after the ones before it."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, execute)

    def watch(self, session: Session, on_change: Callable[[], object]) -> None:
        """Call a function, in a thread, each time the tree has changed; index its texts too."""
        Thread(target=self._watch, args=(session, on_change), daemon=True).start()
        Thread(target=self._index_texts, args=(session,), daemon=True).start()

    def _index_texts(self, session: Session) -> None:
        """Index the changed texts, so that pages that need them wait for less, or not at all."""
        if not self._stopping.wait(INDEX_AFTER_S):
            with suppress(CortexError, OSError):  # a page that needs them shows what is wrong
                session.ingest_texts()

    def _watch(self, session: Session, on_change: Callable[[], object]) -> None:
        was_wrong = False
        while not self._stopping.wait(INTERVAL_S):
            try:
                changed = session.comparisons.refresh_by_events()
                changed = {*session.refresh()} if changed is None else changed
            except (CortexError, OSError):  # a page that is loaded shows what is wrong
                changed, is_wrong = set(), True
            else:
                is_wrong = False
            if (changed or is_wrong != was_wrong) and not self._stopping.is_set():
                on_change()
            was_wrong = is_wrong

    def stop(self) -> None:
        """Start nothing more, and wait for a change that was confirmed."""
        self._stopping.set()
        self._readers.shutdown(wait=False, cancel_futures=True)
        self._writer.shutdown()
