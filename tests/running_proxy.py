"""The proxy for stories on a free port, in threads of the test's process."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from typing import TYPE_CHECKING, Any

from running_server import NOW, fail, serve_in_thread

from cortexfs.core.stories.chat_api.place_memories import MemoryPlace
from cortexfs.core.stories.chat_record import parse_record
from cortexfs.interfaces.http.listening_socket import open_listener
from cortexfs.interfaces.http.server_access import make_access
from cortexfs.interfaces.serve_session import serve_session
from cortexfs.interfaces.story_proxy.exchange_recorder import ExchangeRecorder
from cortexfs.interfaces.story_proxy.proxy_access import ProxyAccess
from cortexfs.interfaces.story_proxy.proxy_app import StoryProxy
from cortexfs.interfaces.story_proxy.proxy_settings import ProxySettings
from cortexfs.interfaces.story_proxy.upstream_address import parse_upstream
from cortexfs.interfaces.story_proxy.upstream_pool import UpstreamPool
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import Place
    from starlette.types import ASGIApp, Receive, Scope, Send

    from cortexfs.core.stories.message import Message

PATIENCE_S = 20
PROJECT = "flywheel"
TOKEN = "of-the-test"


@dataclass
class RunningProxy:
    """A proxy that answers, the place of its tree, and what it has reported."""

    port: int
    place: Place
    recorder: ExchangeRecorder
    ended: threading.Semaphore
    """Released once for each request that the proxy has done with."""
    reports: list[str] = field(default_factory=list)
    answers: list[HTTPResponse] = field(default_factory=list)
    awaited: int = 0

    def open(
        self,
        messages: list[dict[str, Any]],
        *,
        path: str = "/v1/chat/completions",
        headers: dict[str, str] | None = None,
        **others: object,
    ) -> HTTPResponse:
        """Send a chat and return its answer as soon as it has begun."""
        document = {"model": "m", "messages": messages, **others}
        return self.send("POST", path, json.dumps(document).encode(), headers)

    def send(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> HTTPResponse:
        """Send a request and return its answer as soon as it has begun."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        sent = {"Content-Type": "application/json", "Connection": "close", **(headers or {})}
        connection.request(method, path, body or None, sent)
        self.answers.append(connection.getresponse())
        return self.answers[-1]

    def ask(self, messages: list[dict[str, Any]], **others: Any) -> bytes:
        """Send a chat, read its answer, and wait until it is recorded."""
        with self.open(messages, **others) as answer:
            body = answer.read()
        self.wait_until_recorded()
        return body

    def wait_until_recorded(self) -> None:
        """Wait until everything that was answered is recorded."""
        while self.awaited < len(self.answers):
            assert self.ended.acquire(timeout=PATIENCE_S)
            self.awaited += 1
        self.recorder.wait_until_idle()

    def record(self, story: str) -> list[Message]:
        """Return the messages of a story."""
        text = self.place.read(f"projects/{PROJECT}/chats/{story}.jsonl")
        return parse_record(text).messages

    def said(self, story: str) -> list[str]:
        return [f"{message.speaker}: {message.text}" for message in self.record(story)]

    def stories(self) -> list[str]:
        return sorted(
            path.stem for path in (self.place.root / f"projects/{PROJECT}/chats").glob("*.jsonl")
        )


def note_ends(app: ASGIApp, ended: threading.Semaphore) -> ASGIApp:
    """Return an application that says when a request has ended for it."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        finally:
            ended.release()

    return answer


@contextmanager
def run_proxy(
    place: Place,
    url: str,
    *,
    story: str = "",
    key: str = "",
    memories: MemoryPlace = MemoryPlace.LAST,
    needs_token: bool = False,
) -> Iterator[RunningProxy]:
    """Serve the proxy until the end of the block."""
    session = Session.open(str(place.root), lambda: NOW)
    address = parse_upstream(url, insecure=False, environ={})
    settings = ProxySettings(address, PROJECT, memories, story, key)
    reports: list[str] = []
    with open_listener("127.0.0.1", 0) as listener, serve_session(session, fail):
        server = make_access(*listener.getsockname()[:2], TOKEN)
        access = ProxyAccess(server, needs_token, bool(key))
        recorder = ExchangeRecorder(session, reports.append)
        recorder.start()
        pool = UpstreamPool(address)
        proxy = StoryProxy(session, settings, access, pool, recorder, reports.append)
        ended = threading.Semaphore(0)
        app = note_ends(proxy.make_app(), ended)
        with serve_in_thread(app, listener, [pool.close_at_end]):
            running = RunningProxy(server.port, place, recorder, ended, reports)
            yield running
            for answer in running.answers:
                answer.close()
        recorder.close()
