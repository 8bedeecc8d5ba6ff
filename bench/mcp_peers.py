"""Measure other memory servers beside ours: `python -m bench.mcp_peers`.

Those on the PATH are measured: `pip install basic-memory` (Python 3.12 or later) and `npm install
@modelcontextprotocol/server-memory`, each in its own environment. Each server begins with an empty
store and gets the same notes and the same questions over stdio, in turn. Embeddings are not used.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.corpus import WORDS
from bench.mcp import STARTS, Server, make_server_command
from bench.measure import make_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Arguments = dict[str, Any]


class Note(NamedTuple):
    """What each server is asked to save."""

    title: str
    content: str


class Peer(NamedTuple):
    """A server: its program, and the tools that save a note and that search."""

    name: str
    program: str
    save_tool: str
    make_save: Callable[[Note], Arguments]
    search_tool: str


class Measured(NamedTuple):
    """The figures of one server; times are medians in milliseconds."""

    start_ms: float
    schema_bytes: int
    save_ms: float
    search_ms: float
    memory_mb: float


PEERS = (
    Peer("cortexfs", "cortexfs", "mem_save", lambda note: {**note._asdict()}, "mem_search"),
    Peer(
        "basic-memory",
        "basic-memory",
        "write_note",
        lambda note: {**note._asdict(), "directory": "notes"},
        "search_notes",
    ),
    Peer(
        "server-memory",
        "mcp-server-memory",
        "create_entities",
        lambda note: {
            "entities": [{"name": note.title, "entityType": "note", "observations": [note.content]}]
        },
        "search_nodes",
    ),
)
ROWS = ("initialize, ms", "tools/list, bytes", "save, ms", "search, ms", "resident, MB")


def main() -> None:
    """Start the servers, let them save and search in turn, and print the table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--notes", type=int, default=300)
    asked.add_argument("--searches", type=int, default=100)
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(
        prefix="cortexfs-bench-", ignore_cleanup_errors=True
    ) as folder:
        peers = [peer for peer in PEERS if peer.name == "cortexfs" or shutil.which(peer.program)]
        measured = _measure(peers, Path(folder), options.notes, options.searches)
    sys.stdout.write(f"{options.notes} notes, {options.searches} searches; medians\n\n")
    sys.stdout.write(_format_table(measured))


def _measure(peers: list[Peer], folder: Path, notes: int, searches: int) -> dict[str, Measured]:
    """Return the figures of each server; their calls take turns."""
    worlds = {peer.name: _make_world(peer, folder) for peer in peers}
    starts = {name: _time_starts(*world) for name, world in worlds.items()}
    servers = {peer.name: Server(*worlds[peer.name], is_quiet=True) for peer in peers}
    saves: dict[str, list[float]] = {name: [] for name in servers}
    found: dict[str, list[float]] = {name: [] for name in servers}
    rng = random.Random(7)
    for number in range(notes):
        note = Note(f"{_draw_words(rng, 6)} {number}", _draw_words(rng, 80))
        for peer in peers:
            taken = servers[peer.name].call(peer.save_tool, peer.make_save(note))
            saves[peer.name].append(taken)
    for _ in range(searches):
        query = _draw_words(rng, 2)
        for peer in peers:
            taken = servers[peer.name].call(peer.search_tool, {"query": query})
            found[peer.name].append(taken)
    figures = {
        name: Measured(
            starts[name],
            server.schema_bytes,
            statistics.median(saves[name]),
            statistics.median(found[name]),
            server.read_memory_mb(),
        )
        for name, server in servers.items()
    }
    for server in servers.values():
        server.stop()
    return figures


def _make_world(peer: Peer, folder: Path) -> tuple[list[str], Mapping[str, str]]:
    """Return the command of a server and its environment, with an empty home and store."""
    home = folder / peer.name
    home.mkdir()
    environ = make_environment(home)
    if peer.name == "cortexfs":
        tree = home / "tree"
        init = [sys.executable, "-m", "cortexfs", "--root", str(tree), "init"]
        subprocess.run(init, check=True, env=environ, capture_output=True)
        return make_server_command(tree), environ
    environ |= {
        "BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "false",
        "MEMORY_FILE_PATH": str(home / "memory.jsonl"),
    }
    return [peer.program, *(["mcp"] if peer.name == "basic-memory" else [])], environ


def _time_starts(command: list[str], environ: Mapping[str, str]) -> float:
    """Return the median milliseconds to `initialize`; the first start, of a new store, is extra."""
    times = []
    for _ in range(STARTS + 1):
        server = Server(command, environ, is_quiet=True)
        times.append(server.initialize_s * 1000)
        server.stop()
    return statistics.median(times[1:])


def _draw_words(rng: random.Random, count: int) -> str:
    return " ".join(rng.choices(WORDS, k=count))


def _format_table(measured: Mapping[str, Measured]) -> str:
    """Return a Markdown table; each value of another server with its ratio to ours."""
    ours = measured["cortexfs"]
    lines = [f"| | {' | '.join(measured)} |", f"|---|{'--:|' * len(measured)}"]
    for row, what in enumerate(ROWS):
        cells = [
            f"{each[row]:.0f}" + (f" ({each[row] / ours[row]:.1f} ×)" if each is not ours else "")
            for each in measured.values()
        ]
        lines.append(f"| {what} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
