"""A running `cortexfs serve` of a tree, to be measured."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TIMEOUT_S = 60


class Server(NamedTuple):
    """A running server, its token, and the seconds until it answered."""

    process: subprocess.Popen[bytes]
    port: int
    token: str
    started_s: float

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, bytes]:
        """Return status and body of one answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_S)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        try:
            connection.request(method, path, json.dumps(body) if body else None, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def read_cpu_s(self) -> float:
        """Return the seconds that the process has worked."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")

    def read_memory_mib(self) -> float:
        """Return the resident memory."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        (line,) = (line for line in lines if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024


def make_command(tree: Path) -> list[str]:
    """Return the beginning of a command on a tree."""
    return [sys.executable, "-m", "cortexfs", "--root", str(tree)]


@contextmanager
def serve(tree: Path, environ: Mapping[str, str]) -> Iterator[Server]:
    """Run a server, and stop it."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [*make_command(tree), "serve", "--port", "0"], env=environ, stderr=subprocess.PIPE
    )
    if process.stderr is None:
        raise OSError("the server has no messages")
    address = process.stderr.readline().decode().split()[1].rstrip(";")
    port = int(address.rpartition(":")[2])
    server = Server(process, port, "", 0.0)
    server.ask("GET", "/health")
    took = time.perf_counter() - began
    token = (tree / ".cortexfs" / "server-token").read_text().strip()
    try:
        yield server._replace(token=token, started_s=took)
    finally:
        process.terminate()
        process.wait(TIMEOUT_S)
        process.stderr.close()
