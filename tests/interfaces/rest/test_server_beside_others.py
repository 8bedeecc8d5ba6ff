"""Two servers, a daemon, an agent, commands and a person in one tree: one view, nothing lost."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import pytest
from mcp_client import serve as serve_agent
from running_server import RunningServer, run_server_of
from test_concurrency import commits_since, create_atoms, person_commits, user_work, wait_until

from cortexfs.interfaces.http.server_access import make_access

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mcp_client import LineClient
    from place import Place

TURNS = 12
TEXT = "---\nid: EXP-{0}\nproject: driftwood\nsummary: {1}\ntags: [a]\n---\n\nbody\n"
OWN_FOLDER = "projects/driftwood/experiments/"
"""Where the person makes atoms by hand; their index is made by whoever is first."""


@contextmanager
def run_other_server(first: RunningServer) -> Iterator[RunningServer]:
    """Serve the tree of a server by a process of its own too."""
    place = first.place
    words = [sys.executable, "-m", "cortexfs", "--root", str(place.root), "serve", "--port", "0"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr
            address = re.search(r"127\.0\.0\.1:(\d+)", process.stderr.readline())
            assert address
            access = make_access("127.0.0.1", int(address[1]), first.access.token)
            yield RunningServer(access, first.session, place, first.by_token)
        finally:
            process.terminate()
            assert process.wait() == 0
            assert "Traceback" not in process.stderr.read()


def list_summaries(server: RunningServer) -> Counter[str]:
    """Return the summaries of all atoms, read in parts."""
    found, cursor = Counter[str](), ""
    while True:
        part = server.ask("GET", f"/api/v1/atoms?limit=50&cursor={cursor}").json()
        found.update(atom.get("summary") for atom in part["atoms"])
        if not (cursor := part.get("next", "")):
            return found


def save_by_server(server: RunningServer, name: str) -> Iterator[str]:
    """Save with a server, which shows at once what it has saved."""
    for turn in range(TURNS):
        summary = f"{name} {turn}"
        idea = {"kind": "idea", "summary": summary, "tags": ["codec"]}
        memory = {"title": summary, "content": "**What**: it", "project": "driftwood"}
        path, body = ("/api/v1/atoms", idea) if turn % 2 else ("/api/observations", memory)
        answer = server.ask("POST", path, body)
        assert answer.status == 201, answer
        assert list_summaries(server)[summary] == 1
        yield summary


def save_by_agent(agent: LineClient) -> Iterator[str]:
    agent.initialize()
    for turn in range(TURNS):
        agent.call("mem_save", title=f"agent {turn}", content="**What**: it", project="driftwood")
        yield f"agent {turn}"


def save_by_command(place: Place) -> Iterator[str]:
    for turn in range(TURNS):
        place.ok("new", "idea", "-s", f"command {turn}", "-t", "codec")
        yield f"command {turn}"


def save_by_hand(place: Place) -> Iterator[str]:
    """Write atoms as an editor does, and commit another file now and then."""
    for turn in range(TURNS):
        draft = place.write(
            f"{OWN_FOLDER}.EXP-{800 + turn}.swp", TEXT.format(800 + turn, f"by hand {turn}")
        )
        os.rename(draft, place.root / f"{OWN_FOLDER}EXP-{800 + turn}.md")
        person_commits(place)
        yield f"by hand {turn}"


@pytest.mark.soak
@pytest.mark.xdist_group("storm")
def test_all_who_work_in_a_tree_see_the_same_and_take_nothing_back(sample: Place) -> None:
    create_atoms(sample)
    base, work = sample.git("rev-parse", "HEAD").strip(), user_work(sample)
    with ExitStack() as stack:
        first = stack.enter_context(run_server_of(sample))
        second = stack.enter_context(run_other_server(first))
        sample.ok("daemon", "start", CORTEXFS_DRAIN_QUIET="1")
        stack.callback(sample.ok, "daemon", "stop")
        agent = stack.enter_context(serve_agent(sample))
        workers: list[Callable[[], Iterator[str]]] = [
            lambda: save_by_server(first, "first"),
            lambda: save_by_server(second, "second"),
            lambda: save_by_agent(agent),
            lambda: save_by_command(sample),
            lambda: save_by_hand(sample),
        ]
        with ThreadPoolExecutor(len(workers)) as threads:
            done = [threads.submit(lambda work=work: list(work())) for work in workers]
        saved = [summary for each in done for summary in each.result()]
        wait_until(lambda: list_summaries(first) == list_summaries(second))
        found = list_summaries(first)
        assert {summary: found[summary] for summary in saved} == dict.fromkeys(saved, 1)
    sample.ok("index", "regen", "--all")
    own = [f"?? {OWN_FOLDER}EXP-{800 + turn}.md" for turn in range(TURNS)]
    staged, edited, status = user_work(sample)
    assert (staged, edited) == work[:2], "nothing that was staged or edited is taken back"
    assert sorted(set(status.splitlines()) - set(own)) == sorted(work[2].splitlines())
    assert not [each for each in commits_since(sample, base) if " " in each[0]]
    assert sample.git("fsck", "--no-dangling") == ""
    assert not list(sample.root.rglob(".cortexfs-draft.*"))
    assert not (sample.root / ".cortexfs/crash").exists()
