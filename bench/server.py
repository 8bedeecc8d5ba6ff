"""Measure `cortexfs serve`: `python -m bench.server`.

Prints the time from the start of the process to the first answer, the resident memory, the latency
of each list and of `find` on a tree of 10,000 atoms (`--atoms` sets another size), and those of 50
readers beside 5 writers for a minute (`--seconds`).
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.corpus import WORDS
from bench.find import SMALL, print_figures
from bench.level import make_tree_once, percentile
from bench.measure import Figure, make_environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

STARTS, WARM_UP, REQUESTS = 5, 3, 30
READERS, WRITERS = 50, 5
PAUSE_S = 0.5
"""Seconds between two requests of a reader, and of a writer: people and agents also think."""
TIMEOUT_S = 60
LISTS = {
    "atoms": "/api/v1/atoms?limit=50",
    "atoms by date": "/api/v1/atoms?limit=50&sort=date",
    "an atom": "/api/v1/atoms/{ref}?track=false",
    "its related atoms": "/api/v1/atoms/{ref}/related",
    "find": "/api/v1/find?q={word}",
    "tags": "/api/v1/tags",
    "statistics": "/api/v1/stats",
    "projects": "/api/v1/projects",
    "tasks": "/api/v1/tasks",
    "findings": "/api/v1/findings",
    "most read": "/api/v1/reads/top",
    "observations": "/api/observations",
    "search": "/api/search?q={word}",
}


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


def main() -> None:
    """Print the figures."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("--atoms", type=int, default=SMALL)
    asked.add_argument("--seconds", type=int, default=60)
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
        environ = make_environment(Path(folder))
        tree = make_tree_once(Path(folder), options.atoms)
        subprocess.run([*_command(tree), "list"], env=environ, check=True, capture_output=True)
        print_figures("start", list(measure_start(tree, environ)))
        with serve(tree, environ) as server:
            print_figures(f"{options.atoms:,} atoms, one client", list(measure_lists(server)))
            print_figures(
                f"{READERS} readers, {WRITERS} writers", measure_crowd(server, options.seconds)
            )


def _command(tree: Path) -> list[str]:
    return [sys.executable, "-m", "cortexfs", "--root", str(tree)]


@contextmanager
def serve(tree: Path, environ: Mapping[str, str]) -> Iterator[Server]:
    """Run a server, and stop it."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [*_command(tree), "serve", "--port", "0"], env=environ, stderr=subprocess.PIPE
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


def measure_start(tree: Path, environ: Mapping[str, str]) -> Iterator[Figure]:
    """Yield how soon the first answer comes, with its memory, and the first of REST."""
    starts, works, firsts = list[float](), list[float](), list[float]()
    memory = 0.0
    for _ in range(STARTS):
        with serve(tree, environ) as server:
            starts.append(server.started_s)
            works.append(server.read_cpu_s())
            began = time.perf_counter()
            server.ask("GET", "/api/v1/projects")
            firsts.append(server.started_s + time.perf_counter() - began)
            memory = server.read_memory_mib()
    work = f"{statistics.median(works) * 1000:.0f} ms of CPU"
    yield Figure("the first answer", f"{statistics.median(starts) * 1000:.0f} ms", work)
    yield Figure("the first of REST", f"{statistics.median(firsts) * 1000:.0f} ms", "")
    yield Figure("resident after it", f"{memory:.0f} MB", "")


def measure_lists(server: Server) -> Iterator[Figure]:
    """Yield the latency of each list."""
    rng = random.Random(1)
    refs = [each["ref"] for each in json.loads(server.ask("GET", LISTS["atoms"])[1])["atoms"]]
    for name, path in LISTS.items():
        taken, before = list[float](), 0.0
        for number in range(WARM_UP + REQUESTS):
            before = server.read_cpu_s() if number == WARM_UP else before
            url = path.format(ref=rng.choice(refs), word=rng.choice(WORDS))
            began = time.perf_counter()
            status, _ = server.ask("GET", url)
            if status != http.HTTPStatus.OK:
                raise OSError(f"{status}: {url}")
            if number >= WARM_UP:
                taken.append((time.perf_counter() - began) * 1000)
        figures = " / ".join(f"{percentile(taken, each):.1f}" for each in (50, 95))
        work = (server.read_cpu_s() - before) * 1000 / REQUESTS
        yield Figure(f"{name}, p50 / p95", f"{figures} ms", f"{work:.0f} ms of CPU")
    yield Figure("resident", f"{server.read_memory_mib():.0f} MB", "")


def measure_crowd(server: Server, seconds: int) -> list[Figure]:
    """Return the latencies of many clients at once, and what failed."""
    statuses: Counter[int] = Counter()
    reads, writes = list[float](), list[float]()
    end = time.monotonic() + seconds

    def run(number: int, *, writing: bool) -> None:
        rng, paths = random.Random(number), list(LISTS.values())
        while time.monotonic() < end:
            time.sleep(rng.uniform(0, 2 * PAUSE_S))
            began = time.perf_counter()
            if writing:
                body = {"title": f"Note {rng.random()}", "content": " ".join(rng.sample(WORDS, 8))}
                status, _ = server.ask("POST", "/api/observations", {**body, "project": "p0"})
            else:
                path = rng.choice([each for each in paths if "{ref}" not in each])
                status, _ = server.ask("GET", path.format(word=rng.choice(WORDS)))
            (writes if writing else reads).append((time.perf_counter() - began) * 1000)
            statuses[status] += 1

    threads = [
        threading.Thread(target=run, args=(number,), kwargs={"writing": number < WRITERS})
        for number in range(READERS + WRITERS)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    failed = sum(
        count for status, count in statuses.items() if status >= http.HTTPStatus.BAD_REQUEST
    )
    return [
        Figure("reads, p50 / p99", _format_pair(reads, 50, 99), f"{len(reads)} requests"),
        Figure("writes, p50 / p99", _format_pair(writes, 50, 99), f"{len(writes)} requests"),
        Figure("errors", str(failed), ""),
        Figure("resident", f"{server.read_memory_mib():.0f} MB", ""),
    ]


def _format_pair(taken: Sequence[float], one: int, other: int) -> str:
    return f"{percentile(taken, one):.0f} / {percentile(taken, other):.0f} ms"


if __name__ == "__main__":
    main()
