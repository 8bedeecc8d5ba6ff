"""Measure the MCP server on a tree with many observations: `python -m bench.mcp`.

Prints the time until `initialize` is answered, until the tools are listed, the resident memory, and
the median latency of each call. `--calls 5000` shows whether memory grows over a day's calls.
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
    from collections.abc import Callable, Iterator, Mapping

PROJECTS = 20
STARTS = 5
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Server:
    """A running server, and how long its start took in seconds."""

    def __init__(self, tree: Path, environ: Mapping[str, str]) -> None:
        began = time.perf_counter()
        command = [sys.executable, "-m", "cortexfs", "--root", str(tree), "mcp"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ
        )
        self.ask("initialize", INITIALIZE)
        self.initialize_s = time.perf_counter() - began
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.tools = {tool["name"] for tool in self.ask("tools/list", {})["tools"]}
        self.list_s = time.perf_counter() - began

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request, and return its result."""
        self._send({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        answer: dict[str, dict[str, Any]] = json.loads(
            cast("IO[bytes]", self.process.stdout).readline()
        )
        return answer["result"]

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


def main() -> None:
    """Build the tree, and print the figures."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--observations", type=int, default=10_000)
    asked.add_argument("--calls", type=int, default=200)
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
        environ, tree = make_environment(Path(folder)), Path(folder) / "tree"
        cortexfs = [sys.executable, "-m", "cortexfs", "--root", str(tree)]
        subprocess.run([*cortexfs, "init"], check=True, env=environ, stdout=subprocess.DEVNULL)
        write_observations(tree, options.observations)
        for words in (["index", "regen", "--no-commit"], ["commit", "--all"]):
            subprocess.run([*cortexfs, *words], check=False, env=environ, capture_output=True)
        first = Server(tree, environ)  # fills the catalog
        first.call("cortex_find", {"query": "anything"})
        first.stop()
        _print_starts(tree, environ)
        _print_calls(Server(tree, environ), options.observations, options.calls)


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


def _print_starts(tree: Path, environ: Mapping[str, str]) -> None:
    """Print the medians of some starts."""
    servers = []
    for _ in range(STARTS):
        servers.append(server := Server(tree, environ))
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
