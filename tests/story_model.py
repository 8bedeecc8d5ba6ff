"""A language model, on this machine, that says of chunks and scenes what a test expects."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, SupportsIndex

from model_server import say

if TYPE_CHECKING:
    from collections.abc import Callable
    from http.server import BaseHTTPRequestHandler

    from model_server import Reply

NOTHING: dict[str, Any] = {
    "importance": 4,
    "emotions": [],
    "status": [],
    "summary": "",
    "entities": [],
    "facts": [],
    "relations": [],
    "colours": [],
}
"""What is said of a passage that says little."""


@dataclass
class StoryModel(list["Reply"]):
    """The replies of a server: each is made of what is asked, for as long as the test lasts.

    `analyse` makes the entry of a passage, `first` has replies that come before all others.
    `most` is how many requests were answered at the same time.
    """

    analyse: Callable[[str], dict[str, Any]] = lambda _: NOTHING
    summarize: Callable[[dict[str, Any]], dict[str, str]] = lambda _: {"title": "", "summary": ""}
    first: list[Reply] = field(default_factory=list)
    passages: list[str] = field(default_factory=list)
    most: int = 0
    delay_s: float = 0.0
    _now: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def pop(self, index: SupportsIndex = -1) -> Reply:  # noqa: ARG002 - as a list has it
        """Return the next reply."""
        with self._lock:
            return self.first.pop(0) if self.first else self._reply

    def _reply(self, handler: BaseHTTPRequestHandler) -> None:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        asked = json.loads(handler.asked["messages"][1]["content"].partition("\n\nYour last")[0])  # type: ignore[attr-defined]
        if "passages" in asked:
            self.passages += asked["passages"]
            said: object = {"passages": [self.analyse(text) for text in asked["passages"]]}
        else:
            said = self.summarize(asked)
        if self.delay_s:
            threading.Event().wait(self.delay_s)
        say(json.dumps(said))(handler)
        with self._lock:
            self._now -= 1
