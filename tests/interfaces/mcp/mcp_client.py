"""A client that writes and reads lines, for what a proper client cannot send."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """A running server, and the numbers of the requests to it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.last_id = 0

    def send_line(self, line: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, method: str, **params: Any) -> int:
        self.last_id += 1
        message = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        self.send_line(json.dumps(message).encode())
        return self.last_id

    def receive(self) -> Any:
        assert self.process.stdout
        return json.loads(self.process.stdout.readline())

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
    words = [sys.executable, "-m", "cortexfs", "--root", str(place.root), "mcp", *options]
    process = subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=place.root,
    )
    try:
        yield LineClient(process)
        if process.stdin and not process.stdin.closed:
            process.stdin.close()
        process.wait(PATIENCE_S)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()
