"""Tell open streams what changes in the tree: one thread looks, however many streams there are."""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import CortexError
from cortexfs.interfaces.http.describe_failure import report_bug
from cortexfs.operations.find_changed_files import find_changed_files

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from cortexfs.operations.find_changed_files import ChangedFiles, TreeDigests
    from cortexfs.session.session import Session

POLL_S = 0.5
"""Seconds between two looks while somebody listens."""
HEARTBEAT_S = 15.0
"""Seconds after which a stream without a change says that it is open."""
RETRY_MS = 2000
"""Milliseconds after which a client connects again."""
MAX_NAMED = 200
"""Maximum number of paths and refs in an event."""
MAX_KEPT = 500
"""Number of events that a client can have missed."""
MAX_DIGITS = 15
"""Digits of a number of an event; no server lives long enough for more."""


class ChangeEvent(NamedTuple):
    """One event: its number, and what changed."""

    number: int
    data: str


class ChangeFeed:
    """The events of one server, for any number of streams."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._boot = secrets.token_hex(4)
        """Part of each id, so that those of an earlier process are not taken for ours."""
        self._events: tuple[ChangeEvent, ...] = ()
        """The last events; replaced, never changed: streams read it in another thread."""
        self._last_number = 0
        self._has_looked = False
        """Whether the state is known with which the next one is compared."""
        self._listeners: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}
        self._wanted = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    @property
    def stream_count(self) -> int:
        """The number of open streams."""
        return len(self._listeners)

    async def stream(self, last_id: str) -> AsyncIterator[str]:
        """Yield the text of a stream of events, after the last one that the client has."""
        with self._listen() as changed:
            if not self._has_looked:  # what changes from now on is an event
                await _wait_for(changed)
            yield f"retry: {RETRY_MS}\n\n"
            while not self._has_looked:  # the tree cannot be read
                yield self._format("heartbeat", self._last_number, "{}")
                await _wait_for(changed)
            number, is_known = self._find_start(last_id)
            if not is_known:
                yield self._format("reset", number, "{}")
            while True:
                changed.clear()
                for event in [each for each in self._events if each.number > number]:
                    number = event.number
                    yield self._format("change", number, event.data)
                if not await _wait_for(changed):
                    yield self._format("heartbeat", number, "{}")

    @contextmanager
    def _listen(self) -> Iterator[asyncio.Event]:
        changed = asyncio.Event()
        with self._lock:
            self._listeners[changed] = asyncio.get_running_loop()
            self._wanted.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="cortexfs-feed", daemon=True)
                self._thread.start()
        try:
            yield changed
        finally:
            with self._lock:
                del self._listeners[changed]
                if not self._listeners:
                    self._wanted.clear()

    def _find_start(self, last_id: str) -> tuple[int, bool]:
        """Return the number of the last event that a client has, and whether all since are kept."""
        with self._lock:
            events, last_number = self._events, self._last_number
        boot, _, typed = last_id.rpartition("-")
        if not last_id:
            return last_number, True
        first = events[0].number if events else last_number + 1
        is_number = boot == self._boot and typed.isdecimal()
        number = int(typed[:MAX_DIGITS]) if is_number else -1
        is_known = first - 1 <= number <= last_number
        return (number, True) if is_known else (last_number, False)

    def _format(self, kind: str, number: int, data: str) -> str:
        return f"id: {self._boot}-{number}\nevent: {kind}\ndata: {data}\n\n"

    def _run(self) -> None:
        """Look for changes while somebody listens; after a bug the next listener begins again."""
        known: TreeDigests | None = None
        try:
            while True:
                self._wanted.wait()
                with suppress(CortexError, OSError):  # a tree that has gone may come back
                    changed, known = find_changed_files(self._session, known)
                    if changed.paths or not self._has_looked:
                        self._publish(changed)
                threading.Event().wait(POLL_S)
        except Exception as error:  # noqa: BLE001 - the outermost frame of the thread
            report_bug(self._session, error)
            with self._lock:
                self._thread = None

    def _publish(self, changed: ChangedFiles) -> None:
        """Add an event, unless nothing has changed, and wake all streams."""
        paths, refs = changed.paths[:MAX_NAMED], changed.refs[:MAX_NAMED]
        document = {"paths": paths, "refs": refs, "count": len(changed.paths)}
        with self._lock:
            self._has_looked = True
            if paths:
                self._last_number += 1
                event = ChangeEvent(self._last_number, json.dumps(document))
                self._events = (*self._events, event)[-MAX_KEPT:]
            for listener, loop in self._listeners.items():
                with suppress(RuntimeError):  # a loop that has ended
                    loop.call_soon_threadsafe(listener.set)


async def _wait_for(changed: asyncio.Event) -> bool:
    """Return whether something has changed before the next heartbeat is due."""
    try:
        return await asyncio.wait_for(changed.wait(), HEARTBEAT_S)
    except TimeoutError:
        return False
