"""How soon a server answers one client: each list and page, after a change and again."""

from __future__ import annotations

import http.client
import json
import random
import time
from typing import TYPE_CHECKING, NamedTuple

from bench import zipf
from bench.corpus import WORDS
from bench.level import percentile
from bench.measure import Figure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bench.server_process import Server

ROUNDS = 20
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
PAGES = {
    "Home": "/",
    "All": "/all",
    "All, most read first": "/all?sort=reads",
    "All, of a text, page 3": "/all?q={word}&page=3",
    "Find, as you type": "/find?q={typed}",
    "an atom": "/atom/{ref}",
    "its editor": "/edit/{ref}",
    "Projects": "/projects",
    "a project": "/projects/z000",
    "its score": "/projects/z000/score",
    "Graph": "/graph",
    "its map": "/graph/map",
    "Tasks": "/tasks",
    "Decisions": "/decisions",
    "Memory": "/memory",
    "Entities": "/entities",
    "Cortex": "/cortex",
    "its bulletin": "/cortex/bulletin",
    "its proposals": "/cortex/proposals",
    "Chat": "/chat",
    "Injections": "/injections",
    "Wiring": "/wiring",
    "Health": "/findings",
    "its doctor": "/findings/doctor",
}


class _Taken(NamedTuple):
    """Milliseconds of the answers to one address, and of a processor for each of them."""

    after_change: list[float]
    again: list[float]
    work: tuple[float, float]

    def format(self) -> tuple[str, str]:
        """Return the times, and the work."""
        times = (percentile(self.after_change, 95), percentile(self.again, 95))
        return (
            f"{times[0]:.1f} / {times[1]:.1f} ms",
            f"{self.work[0]:.0f} / {self.work[1]:.0f} ms of CPU",
        )


def measure_answers(server: Server, paths: Mapping[str, str]) -> Iterator[Figure]:
    """Yield the time within which 95 % of the answers come: just after a change, and again."""
    chance = random.Random(1)
    refs = [each["ref"] for each in json.loads(server.ask("GET", LISTS["atoms"])[1])["atoms"]]
    health = [_time(server, "/health") for _ in range(5 * ROUNDS)]
    yield Figure(
        "/health, p50 / p95", f"{percentile(health, 50):.1f} / {percentile(health, 95):.1f} ms", ""
    )
    for name, path in paths.items():
        word = chance.choice(WORDS)
        values = {"ref": chance.choice(refs), "word": word, "typed": _type_text(chance)}
        _time(server, path.format(**values))
        yield Figure(name, *_measure(server, path, refs, chance).format())
    yield Figure("resident", f"{server.read_memory_mib():.0f} MB", "")


def _measure(server: Server, path: str, refs: list[str], chance: random.Random) -> _Taken:
    """Ask for one address some times, each time twice after a change."""
    after_change, again = list[float](), list[float]()
    work = [0.0, 0.0]
    for _ in range(ROUNDS):
        save_note(server, chance)
        url = path.format(
            ref=chance.choice(refs), word=chance.choice(WORDS), typed=_type_text(chance)
        )
        for number, times in enumerate((after_change, again)):
            before = server.read_cpu_s()
            times.append(_time(server, url))
            work[number] += (server.read_cpu_s() - before) * 1000 / ROUNDS
    return _Taken(after_change, again, (work[0], work[1]))


def save_note(server: Server, chance: random.Random) -> int:
    """Save a memory, and return the status of the answer."""
    body = {"title": f"Note {chance.random()}", "content": " ".join(chance.sample(WORDS, 8))}
    return server.ask("POST", "/api/observations", {**body, "project": "p0"})[0]


def _type_text(chance: random.Random) -> str:
    """Return what somebody has typed so far, for an address: a word, and a part of another."""
    words = zipf.make_vocabulary()[100:5000]
    first, second = chance.choice(words), chance.choice(words)
    return f"{first}+{second[: chance.randint(2, len(second))]}"


def _time(server: Server, url: str) -> float:
    """Return the milliseconds until an answer has come."""
    began = time.perf_counter()
    status, _ = server.ask("GET", url)
    if status != http.client.OK:
        raise OSError(f"{status}: {url}")
    return (time.perf_counter() - began) * 1000
