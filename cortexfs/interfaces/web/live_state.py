"""Tell open pages that something has changed, as server-sent events; each page then asks anew."""

from __future__ import annotations

import json
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import anyio
from anyio import to_thread

from cortexfs.interfaces.http.describe_failure import describe_failure
from cortexfs.operations.read_tree_state import read_activity_state
from cortexfs.operations.stories.has_stories import has_stories

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from cortexfs.operations.read_tree_state import TreeState
    from cortexfs.session.session import Session

POLL_S = 0.5
"""Seconds between two looks of the open pages together."""
HEARTBEAT_S = 15.0
"""Seconds after which a stream without a change says that it is open."""
RETRY_MS = 1000
"""Milliseconds after which a page connects again."""
MAX_STREAMS = 50
"""Maximum number of open streams; other pages ask at intervals."""


class Look(NamedTuple):
    """What one look found: the state, or why it cannot be read."""

    at: float
    state: str
    problem: str = ""


class LiveState:
    """The state of one tree, for the open pages of a server."""

    def __init__(self, session: Session, tree: TreeState) -> None:
        self._session, self._tree = session, tree
        self._looking, self._limiter = anyio.Lock(), anyio.CapacityLimiter(1)
        self._last = Look(0.0, "")
        self.stream_count = 0

    def read(self) -> str:
        """Return the state: of the tree, of what agents were given, and of what runs."""
        activity = read_activity_state(self._session)
        return f"{self._tree.read()} {activity.given}/ {activity.work}/"

    def read_if_possible(self) -> str:
        """Return the state; empty if it cannot be read now."""
        return self._read_or_problem().state

    def has_stories(self) -> bool:
        """Return whether the tree has stories; False if it cannot be read now."""
        try:
            return has_stories(self._session)
        except Exception as error:
            if describe_failure(error) is None:
                raise
            return False

    async def look(self) -> Look:
        """Return the last look of all streams, or a new one if it is old.

        However many streams wait for it, one thread looks, which no request needs.
        """
        async with self._looking:
            if monotonic() - self._last.at >= POLL_S:
                self._last = await to_thread.run_sync(self._read_or_problem, limiter=self._limiter)
        return self._last

    async def stream(self, shown: str) -> AsyncIterator[str]:
        """Yield events for a page that shows a state: another state, or why it is not known."""
        problem, quiet_since = "", monotonic()
        self.stream_count += 1
        try:
            yield f"retry: {RETRY_MS}\n\n"
            while True:
                found = await self.look()
                if found.problem != problem:
                    problem = found.problem
                    yield _format_event("problem", problem)
                elif not problem and found.state != shown:
                    shown = found.state
                    yield _format_event("state", shown, shown)
                elif monotonic() - quiet_since >= HEARTBEAT_S:
                    yield _format_event("heartbeat", "")
                else:
                    await anyio.sleep(POLL_S)
                    continue
                quiet_since = monotonic()
        finally:
            self.stream_count -= 1

    def _read_or_problem(self) -> Look:
        try:
            return Look(monotonic(), self.read())
        except Exception as error:
            failure = describe_failure(error)
            if failure is None:
                raise
            return Look(monotonic(), "", failure.detail)


def _format_event(name: str, text: str, ident: str = "") -> str:
    head = f"id: {' '.join(ident.split())}\n" if ident else ""
    return f"{head}event: {name}\ndata: {json.dumps(text)}\n\n"
