"""A client that writes and reads lines, for what a proper client cannot send."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from command_server import start_forked, wait_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from place import Place

PATIENCE_S = 60
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class LineClient:
    """The streams of a running server, and the number of the last request to it."""

    def __init__(self, requests: IO[bytes], answers: IO[bytes], wait: Callable[[], object]) -> None:
        self.requests = requests
        self.answers = answers
        self.wait = wait
        self.last_id = 0

    def end(self) -> None:
        """Close the input, and wait until the server has ended; a second time does nothing."""
        if not self.requests.closed:
            self.requests.close()
            self.wait()

    def send_line(self, line: bytes) -> None:
        self.requests.write(line + b"\n")
        self.requests.flush()

    def send(self, method: str, **params: Any) -> int:
        self.last_id += 1
        message = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        self.send_line(json.dumps(message).encode())
        return self.last_id

    def receive(self) -> Any:
        return json.loads(self.answers.readline())

    def ask(self, method: str, **params: Any) -> Any:
        ident = self.send(method, **params)
        answer = self.receive()
        assert answer["id"] == ident
        return answer

    def initialize(self) -> Any:
        answer = self.ask("initialize", **INITIALIZE)
        self.send_line(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        return answer

    def call(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must not refuse; give its text."""
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        assert not result.get("isError"), result
        return str(result["content"][0]["text"])

    def refuse(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must refuse; give the text of the error."""
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        assert result["isError"], result
        return str(result["content"][0]["text"])


@contextmanager
def serve(place: Place, *options: str) -> Iterator[LineClient]:
    """Start a server on a tree; it must end by itself when its input is closed."""
    words = ("--root", str(place.root), "mcp", *options)
    (server_in, requests), (answers, server_out) = os.pipe(), os.pipe()
    streams = [server_in, server_out, 2]
    server = start_forked(words, str(place.root), dict(os.environ), streams)
    os.close(server_in)
    os.close(server_out)
    with open(requests, "wb") as writable, open(answers, "rb") as readable:
        client = LineClient(writable, readable, lambda: wait_for(server))
        try:
            yield client
        finally:
            client.end()


@contextmanager
def serve_process(place: Place) -> Iterator[tuple[LineClient, subprocess.Popen[bytes]]]:
    """Start a server in an interpreter of its own, which has imported nothing before."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cortexfs", "--root", str(place.root), "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=place.root,
    )
    assert process.stdin
    assert process.stdout
    with process.stdin, process.stdout:
        client = LineClient(process.stdin, process.stdout, lambda: process.wait(PATIENCE_S))
        try:
            yield client, process
            client.end()
        finally:
            process.kill()
            process.wait()
