"""A language model that answers what a test has written, on this machine, and its settings."""

from __future__ import annotations

import json
import os
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from cortexfs.language_model.limited_calls import Timing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Reply = Callable[[BaseHTTPRequestHandler], None]

NOON = datetime(2026, 5, 6, 12, tzinfo=UTC)


@dataclass
class Scripted:
    """The server: what it will answer, in order, and what it was asked."""

    url: str
    replies: list[Reply] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    def hang(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer nothing until the test ends."""
        handler.send_response(200)
        self.ended.wait(20)


def say(text: str) -> Reply:
    """Answer with a chat completion."""
    usage = {"prompt_tokens": 12, "completion_tokens": 3}
    return send({"choices": [{"message": {"content": text}}], "usage": usage})


def send(document: object, status: int = 200, **headers: str) -> Reply:
    body = json.dumps(document).encode()

    def reply(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return reply


def endless(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b"x" * 65536)


def cut(handler: BaseHTTPRequestHandler) -> None:
    """Close the connection in the middle of an answer."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')


@contextmanager
def serve_model(*replies: Reply) -> Iterator[Scripted]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.asked = json.loads(body)
            scripted.requests.append(self.asked)
            scripted.headers.append(dict(self.headers.items()))
            with suppress(OSError):
                scripted.replies.pop(0)(self)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.block_on_close = True, False
    scripted = Scripted(f"http://127.0.0.1:{server.server_port}", list(replies))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield scripted
    finally:
        scripted.ended.set()
        server.shutdown()
        thread.join()
        server.server_close()


def configure_model(home: Path, **settings: object) -> dict[str, str]:
    """Write the user's settings of a model; return the environment that leads to them."""
    lines = [f"  {key.replace('_', '-')}: {json.dumps(value)}\n" for key, value in settings.items()]
    path = home / "config/cortexfs/config.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"model:\n{''.join(lines)}", encoding="utf-8")
    path.chmod(0o600)
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_STATE_HOME": str(home / "state"),
    }


def make_timing(slept: list[float], now: datetime = NOON) -> Timing:
    """Return clocks of which only the deadline's is real; what is slept is noted."""
    return Timing(now=lambda: now, sleep=slept.append, jitter=lambda: 0.5)


def state_file(home: Path, name: str) -> Path:
    return home / "state/cortexfs/language-model" / name
