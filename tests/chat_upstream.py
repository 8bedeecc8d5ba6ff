"""A scripted server of chat completions on this machine, as OpenAI's interface has them."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Reply = Callable[["Handler"], None]

PATIENCE_S = 20


@dataclass
class Upstream:
    """The server: what it answers, in order (the last reply again and again), and what it got."""

    port: int = 0
    replies: list[Reply] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    heads: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)
    """What a held stream waits for."""
    gone: threading.Event = field(default_factory=threading.Event)
    """Set when a client has closed its connection in the middle of a stream."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def messages(self, at: int = -1) -> list[dict[str, Any]]:
        """Return the messages of a request."""
        found: list[dict[str, Any]] = json.loads(self.bodies[at])["messages"]
        return found


class Handler(BaseHTTPRequestHandler):
    """Answers with the next reply."""

    protocol_version = "HTTP/1.1"
    upstream: Upstream

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def do_GET(self) -> None:
        self._answer(b"")

    def _answer(self, body: bytes) -> None:
        own = self.upstream
        with own.lock:
            own.bodies.append(body)
            own.heads.append((self.command, self.path, dict(self.headers.items())))
            reply = own.replies.pop(0) if len(own.replies) > 1 else own.replies[0]
        reply(self)

    def begin_chunks(self, media_type: str = "text/event-stream") -> None:
        self.send_response(200)
        self.send_header("Content-Type", media_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def chunk(self, part: bytes) -> None:
        """Send one chunk; an empty one is the end."""
        self.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
        self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def event(delta: dict[str, Any], index: int = 0) -> bytes:
    """Return one event of a stream."""
    choice = {"index": index, "delta": delta, "finish_reason": None}
    document = {"id": "c1", "object": "chat.completion.chunk", "choices": [choice]}
    return f"data: {json.dumps(document)}\n\n".encode()


def events(*words: str) -> list[bytes]:
    """Return the events of an answer, with its usage and its end."""
    usage = {"id": "c1", "choices": [], "usage": {"total_tokens": 9}}
    return [
        event({"role": "assistant", "content": ""}),
        *(event({"content": word}) for word in words),
        f"data: {json.dumps(usage)}\n\n".encode(),
        b"data: [DONE]\n\n",
    ]


def stream(*words: str) -> Reply:
    """Answer with a stream."""

    def reply(handler: Handler) -> None:
        handler.begin_chunks()
        for each in events(*words):
            handler.chunk(each)
        handler.chunk(b"")

    return reply


def held_stream(first: str, rest: str) -> Reply:
    """Send the first word, and the rest when the test has seen it."""

    def reply(handler: Handler) -> None:
        handler.begin_chunks()
        handler.chunk(event({"content": first}))
        handler.upstream.released.wait(PATIENCE_S)
        try:
            for each in (event({"content": rest}), b"data: [DONE]\n\n", b""):
                handler.chunk(each)
        except OSError:
            handler.upstream.gone.set()

    return reply


def endless(handler: Handler) -> None:
    """Send words until the client has gone."""
    handler.begin_chunks()
    with suppress(OSError):
        while True:
            handler.chunk(event({"content": "on "}))
            handler.upstream.released.wait(0.01)
    handler.close_connection = True
    handler.upstream.gone.set()


def cut_stream(*words: str) -> Reply:
    """Break off in the middle of a stream."""

    def reply(handler: Handler) -> None:
        handler.begin_chunks()
        for word in words:
            handler.chunk(event({"content": word}))
        handler.close_connection = True

    return reply


def say(text: str, **others: object) -> Reply:
    """Answer with one document."""
    message = {"role": "assistant", "content": text}
    choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
    return send({"id": "c1", "object": "chat.completion", "choices": choices, **others})


def send(document: object, status: int = 200, **headers: str) -> Reply:
    body = json.dumps(document).encode()

    def reply(handler: Handler) -> None:
        handler.send_response(status)
        given = {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}
        for name, value in given.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return reply


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


@contextmanager
def serve_upstream(*replies: Reply) -> Iterator[Upstream]:
    """Serve until the end of the block."""
    upstream = Upstream(replies=list(replies))
    handler = type("Scripted", (Handler,), {"upstream": upstream})
    with _Server(("127.0.0.1", 0), handler) as server:
        upstream.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield upstream
        finally:
            upstream.released.set()
            server.shutdown()
            thread.join()
