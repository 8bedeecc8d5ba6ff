"""Measure the MCP server on a tree with many observations: `python -m bench.mcp`.

Prints the time until `initialize` is answered, until the tools are listed, the resident memory, and
the median latency of each call. `--day 10000` then makes so many mixed calls, and prints what the
process holds meanwhile: it must not grow. `bench.mcp_peers` measures other servers beside ours.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from bench.corpus import WORDS
from bench.measure import make_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

PROJECTS = 20
STARTS = 5
DAY = ("mem_search", "mem_save", "mem_search", "mem_context", "mem_get_observation")
"""The calls of a day, again and again."""
DAY_PARTS = 4
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Server:
    """A running server, and how long its start took in seconds."""

    def __init__(
        self, command: Sequence[str], environ: Mapping[str, str], *, is_quiet: bool = False
    ) -> None:
        began = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if is_quiet else None,
            env=environ,
        )
        self.ask("initialize", INITIALIZE)
        self.initialize_s = time.perf_counter() - began
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        listed = self.ask("tools/list", {})["tools"]
        self.list_s = time.perf_counter() - began
        self.tools = {tool["name"] for tool in listed}
        self.schema_bytes = len(json.dumps(listed, separators=(",", ":")))

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request, and return its result."""
        self._send({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        answer: dict[str, Any] = {}
        while "result" not in answer:  # notifications of the server may come before
            answer = json.loads(cast("IO[bytes]", self.process.stdout).readline())
            if "error" in answer:
                sys.exit(f"{method}: {answer['error']}")
        return cast("dict[str, Any]", answer["result"])

    def call(self, tool: str, arguments: dict[str, Any]) -> float:
        """Call a tool, and return the milliseconds; a refusal ends the benchmark."""
        began = time.perf_counter()
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        taken = time.perf_counter() - began
        if result.get("isError"):
            sys.exit(f"{tool}: {result['content'][0]['text']}")
        return taken * 1000

    def read_memory_mb(self) -> float:
        """Return the resident memory in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def describe_resources(self) -> str:
        """Return how much memory, and how many files and threads the process has."""
        own = Path(f"/proc/{self.process.pid}")
        files, threads = (len(list((own / name).iterdir())) for name in ("fd", "task"))
        return f"resident {self.read_memory_mb():.0f} MB, {files} files, {threads} threads"

    def stop(self) -> float:
        """Close the input, and return the seconds until the process has ended."""
        began = time.perf_counter()
        cast("IO[bytes]", self.process.stdin).close()
        self.process.wait()
        return time.perf_counter() - began

    def _send(self, message: dict[str, Any]) -> None:
        stdin = cast("IO[bytes]", self.process.stdin)
        stdin.write(json.dumps(message).encode() + b"\n")
        stdin.flush()


def make_server_command(tree: Path) -> list[str]:
    """Return the command of our server."""
    return [sys.executable, "-m", "cortexfs", "--root", str(tree), "mcp"]


def main() -> None:
    """Build the tree, and print the figures."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--observations", type=int, default=10_000)
    asked.add_argument("--calls", type=int, default=200)
    asked.add_argument("--day", type=int, default=0, help="number of mixed calls")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
        environ, tree = make_environment(Path(folder)), Path(folder) / "tree"
        cortexfs = [sys.executable, "-m", "cortexfs", "--root", str(tree)]
        subprocess.run([*cortexfs, "init"], check=True, env=environ, stdout=subprocess.DEVNULL)
        write_observations(tree, options.observations)
        for words in (["index", "regen", "--no-commit"], ["commit", "--all"]):
            subprocess.run([*cortexfs, *words], check=False, env=environ, capture_output=True)
        command = make_server_command(tree)
        first = Server(command, environ)  # fills the catalog
        first.call("cortex_find", {"query": "anything"})
        first.stop()
        _print_starts(command, environ)
        _print_calls(Server(command, environ), options.observations, options.calls)
        if options.day:
            _print_day(Server(command, environ), options.observations, options.day)


def write_observations(tree: Path, count: int) -> None:
    """Write observations to an existing tree, as they are saved."""
    rng = random.Random(count)
    for number in range(1, count + 1):
        project = f"bench-{number % PROJECTS:02d}"
        folder = tree / "projects" / project / "observations"
        folder.mkdir(parents=True, exist_ok=True)
        text = _format_observation(rng, project, f"OBS-{number:03d}", number)
        (folder / f"OBS-{number:03d}.md").write_text(text)


def _format_observation(rng: random.Random, project: str, ident: str, number: int) -> str:
    kind = rng.choice(("decision", "bugfix", "pattern", "discovery", "manual"))
    title = " ".join(rng.choices(WORDS, k=6))
    day = f"2026-0{rng.randint(1, 5)}-{rng.randint(10, 28)}"
    content = "\n".join(
        f"**{head}**: {' '.join(rng.choices(WORDS, k=20))}"
        for head in ("What", "Why", "Where", "Learned")
    )
    return (
        f'---\nid: {ident}\ndate: {day}\nproject: {project}\nsummary: "{title}"\ntags: [{kind}]\n'
        f"type: {kind}\nscope: project\nsession: s-{number // 20}\nrevision: 1\n"
        f"created: {day}T12:00:00Z\n---\n\n{content}\n"
    )


def _print_starts(command: Sequence[str], environ: Mapping[str, str]) -> None:
    """Print the medians of some starts."""
    servers = []
    for _ in range(STARTS):
        servers.append(server := Server(command, environ))
        server.stop()
    for what, values in (
        ("initialize answered", [server.initialize_s for server in servers]),
        ("tools listed", [server.list_s for server in servers]),
    ):
        sys.stdout.write(f"{what}: {statistics.median(values) * 1000:.0f} ms after the start\n")


def _print_calls(server: Server, observations: int, calls: int) -> None:
    """Print the latencies of each call, and the memory before and after."""
    sys.stdout.write(f"resident after the start: {server.read_memory_mb():.0f} MB\n")
    for name, make in _make_calls(observations).items():
        if name in server.tools:
            server.call(name, make(0))
            taken = sorted(server.call(name, make(number + 1)) for number in range(calls))
            p50, p95 = statistics.median(taken), taken[int(len(taken) * 0.95)]
            memory = f"resident {server.read_memory_mb():.0f} MB"
            sys.stdout.write(f"{name}: p50 {p50:.1f} ms, p95 {p95:.1f} ms, {memory}\n")
    sys.stdout.write(f"ended {server.stop() * 1000:.0f} ms after its input\n")


def _print_day(server: Server, observations: int, calls: int) -> None:
    """Mix calls, and print what the process holds after each part of them."""
    makers = _make_calls(observations)
    for number in range(calls):
        if number % (calls // DAY_PARTS) == 0:
            sys.stdout.write(f"after {number} mixed calls: {server.describe_resources()}\n")
        name = DAY[number % len(DAY)]
        server.call(name, makers[name](number))
    sys.stdout.write(f"after {calls} mixed calls: {server.describe_resources()}\n")
    server.stop()


def _make_calls(observations: int) -> dict[str, Callable[[int], dict[str, Any]]]:
    """Return for each tool what makes the arguments of a call from its number."""
    rng = random.Random(7)
    words = list(_iter_queries(rng))
    return {
        "mem_save": lambda n: {
            "title": f"{words[n % 100]} {n}",
            "content": f"**What**: {words[n % 100]} number {n}",
            "project": "bench-01",
            "type": "bugfix",
        },
        "mem_search": lambda n: {"query": words[n % 100]},
        "mem_context": lambda _: {"project": "bench-01"},
        "mem_get_observation": lambda n: {"id": n % observations + 1},
        "mem_stats": lambda _: {},
        "cortex_find": lambda n: {"query": words[n % 100]},
        "cortex_show": lambda n: {"ref": f"bench-{(n + 1) % PROJECTS:02d}/OBS-{n + 1:03d}"},
    }


def _iter_queries(rng: random.Random) -> Iterator[str]:
    for _ in range(100):
        yield " ".join(rng.choices(WORDS, k=2))


if __name__ == "__main__":
    main()
