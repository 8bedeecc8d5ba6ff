"""Answers that requests of the same second share, until this process changes something."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.interfaces.serve_session import MAX_AGE_S

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.interfaces.rest.answers import Answer
    from cortexfs.session.session import Session

MAX_SHARED = 32
"""Maximum number of answers that are kept."""


class _Shared(NamedTuple):
    answer: Answer
    last_change: object
    began: float


class SharedAnswers:
    """The latest answers of lists that are computed from all atoms.

    A read may be a second behind a change on disk, and must show what the server itself has
    changed: an answer is shared for that long, and only while the session has changed nothing. Of
    requests that come meanwhile one makes it, and the others wait.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lock = threading.Lock()
        self._answers: OrderedDict[str, _Shared] = OrderedDict()
        self._running: dict[tuple[str, object], threading.Event] = {}
        """What is made now, since which change; each event is set when that has ended."""

    def get(self, key: str, make: Callable[[], Answer]) -> Answer:
        """Return the answer with a key; it is made if there is none that may be shared.

        Raises `TreeMoved` if another folder is where the tree was.
        """
        self._session.reader.require_same_root()
        change, began = self._session.reader.last_change, time.monotonic()
        while True:
            with self._lock:
                known = self._answers.get(key)
                if known and known.last_change is change and began - known.began < MAX_AGE_S:
                    return known.answer
                if (running := self._running.get((key, change))) is None:
                    self._running[key, change] = running = threading.Event()
                    break
            running.wait()
        try:
            began = time.monotonic()
            return self._keep(key, _Shared(make(), change, began))
        finally:
            with self._lock:
                del self._running[key, change]
            running.set()

    def _keep(self, key: str, made: _Shared) -> Answer:
        with self._lock:
            self._answers[key] = made
            self._answers.move_to_end(key)
            if len(self._answers) > MAX_SHARED:
                self._answers.popitem(last=False)
        return made.answer
