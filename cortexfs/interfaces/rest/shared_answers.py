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
    changed: an answer is shared for that long, and only while the session has changed nothing.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lock = threading.Lock()
        self._answers: OrderedDict[str, _Shared] = OrderedDict()

    def get(self, key: str, make: Callable[[], Answer]) -> Answer:
        """Return the answer with a key; it is made if there is none that may be shared.

        Raises `TreeMoved` if another folder is where the tree was.
        """
        self._session.reader.require_same_root()
        change, began = self._session.last_change, time.monotonic()
        with self._lock:
            known = self._answers.get(key)
        if known and known.last_change is change and began - known.began < MAX_AGE_S:
            return known.answer
        made = _Shared(make(), change, began)
        with self._lock:
            self._answers[key] = made
            self._answers.move_to_end(key)
            if len(self._answers) > MAX_SHARED:
                self._answers.popitem(last=False)
        return made.answer
