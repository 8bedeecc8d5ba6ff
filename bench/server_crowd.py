"""Many clients of a server at once: readers, writers, and beside them a client of `/health`."""

from __future__ import annotations

import http.client
import random
import threading
import time
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from bench.corpus import WORDS
from bench.level import percentile
from bench.measure import Figure
from bench.server_answers import LISTS, save_note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.server_process import Server

READERS, WRITERS = 50, 5
PAUSE_S = 0.5
"""Average seconds between two requests of a client: people and agents also think."""
READ, WRITE, HEALTH = "reads", "writes", "/health"


def measure_crowd(server: Server, seconds: int) -> list[Figure]:
    """Return the latencies of many clients at once, what failed, and the work for a request.

    They begin when the server is ready.
    """
    server.ask("GET", "/ready")
    statuses: Counter[int] = Counter()
    taken: dict[str, list[float]] = defaultdict(list)
    end, before = time.monotonic() + seconds, server.read_cpu_s()

    def run(number: int, deed: str) -> None:
        chance = random.Random(number)
        while time.monotonic() < end:
            time.sleep(chance.uniform(0, 2 * PAUSE_S))
            began = time.perf_counter()
            statuses[_ask(server, deed, chance)] += 1
            taken[deed].append((time.perf_counter() - began) * 1000)

    deeds = [READ] * READERS + [WRITE] * WRITERS + [HEALTH]
    threads = [threading.Thread(target=run, args=each) for each in enumerate(deeds)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    work = (server.read_cpu_s() - before) * 1000 / statuses.total()
    failed = sum(count for code, count in statuses.items() if code >= http.client.BAD_REQUEST)
    return [
        *(_make_figure(deed, taken[deed]) for deed in (READ, WRITE, HEALTH)),
        Figure("errors", str(failed), f"{work:.1f} ms of CPU for a request"),
        Figure("resident", f"{server.read_memory_mib():.0f} MB", ""),
    ]


def _ask(server: Server, deed: str, chance: random.Random) -> int:
    """Do one thing, and return the status of the answer."""
    if deed == WRITE:
        return save_note(server, chance)
    if deed == HEALTH:
        return server.ask("GET", HEALTH)[0]
    path = chance.choice([each for each in LISTS.values() if "{ref}" not in each])
    return server.ask("GET", path.format(word=chance.choice(WORDS)))[0]


def _make_figure(name: str, taken: Sequence[float]) -> Figure:
    shown = f"{percentile(taken, 50):.0f} / {percentile(taken, 99):.0f} ms"
    return Figure(f"{name}, p50 / p99", shown, f"{len(taken)} requests")
